import {
  CONTEXT_OVERFLOWS,
  CONTEXT_STRATEGIES,
  MODEL_TYPES,
  PRICE_RANGE,
  TOKENIZERS,
  type ApprovalPolicy,
  type ContextOverflow,
  type ContextStrategy,
} from '@copilot/contracts';
import { ApiProperty, ApiSchema, OmitType, PartialType } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional, Max, Min } from 'class-validator';
import { APPROVAL_POLICY_PROPERTY, IsApprovalPolicy } from '../validation/approval-policy';
import { IsCurrency, IsPrice } from '../validation/price-rule';
import { IsText } from '../validation/text-rule';
import { IsWholeNumber } from '../validation/whole-number';
import { IsMaxTokensText, MAX_TOKENS } from './max-tokens';

const MAX_CONTEXT_LIMIT_K = 1_000_000;

const oneOf = (values: readonly string[]) => ({ message: `must be one of ${values.join(', ')}` });
const TEMPERATURE = { message: 'must be a number from 0 to 2' };

const PRICE = {
  type: Number,
  required: false,
  nullable: true,
  minimum: PRICE_RANGE.min,
  maximum: PRICE_RANGE.max,
} as const;

/** A new config, flat. Fields that are not listed are stored beside the known ones. */
@ApiSchema({ name: 'ModelConfigCreate' })
export class CreateModelConfigDto {
  @ApiProperty({ minLength: 1, maxLength: 100, example: 'Lab model' })
  @IsText({ min: 1, max: 100, notBlank: true, exact: true })
  readonly name!: string;

  @ApiProperty({ enum: MODEL_TYPES, example: 'text' })
  @IsIn(MODEL_TYPES, oneOf(MODEL_TYPES))
  readonly model_type!: string;

  @ApiProperty({ type: Boolean, required: false, nullable: true, default: false })
  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  readonly is_default?: boolean | null;

  @ApiProperty({ example: 'openai' })
  @IsText({ min: 1, max: 100, notBlank: true, exact: true })
  readonly provider!: string;

  @ApiProperty({ description: "May be empty: then the provider's own", example: 'https://api.openai.com/v1' })
  @IsText({ min: 0, max: 2_000, exact: true })
  readonly base_url!: string;

  @ApiProperty({ example: 'gpt-4.1' })
  @IsText({ min: 1, max: 200, notBlank: true, exact: true })
  readonly model!: string;

  @ApiProperty({ type: Number, required: false, minimum: 0, maximum: 2, default: 0.7 })
  @IsOptional()
  @Min(0, TEMPERATURE)
  @Max(2, TEMPERATURE)
  readonly temperature?: number | null;

  @ApiProperty({ type: String, required: false, nullable: true, writeOnly: true })
  @IsOptional()
  @IsText({ min: 0, max: 10_000, exact: true })
  readonly api_key?: string | null;

  @ApiProperty({ type: Number, required: false, nullable: true, minimum: 1, maximum: MAX_TOKENS })
  @IsOptional()
  @IsWholeNumber(1, MAX_TOKENS)
  readonly max_tokens?: number | null;

  @ApiProperty({
    minimum: 1,
    maximum: MAX_CONTEXT_LIMIT_K,
    description: 'K tokens, 1K = 1000. There is no default: look it up in the documentation of the model',
    example: 128,
  })
  @IsWholeNumber(1, MAX_CONTEXT_LIMIT_K)
  readonly context_limit!: number;

  @ApiProperty({ enum: CONTEXT_STRATEGIES, required: false, default: 'balanced' })
  @IsOptional()
  @IsIn(CONTEXT_STRATEGIES, oneOf(CONTEXT_STRATEGIES))
  readonly context_strategy?: ContextStrategy | null;

  @ApiProperty({
    enum: CONTEXT_OVERFLOWS,
    required: false,
    default: 'trim',
    description: 'What does not fit is left out, or kept as a summary that the model writes',
  })
  @IsOptional()
  @IsIn(CONTEXT_OVERFLOWS, oneOf(CONTEXT_OVERFLOWS))
  readonly context_overflow?: ContextOverflow | null;

  @ApiProperty({ type: String, required: false, nullable: true, example: 'lab_automation_assistant' })
  @IsOptional()
  @IsText({ min: 0, max: 100, exact: true })
  readonly copilot_mode?: string | null;

  @ApiProperty({
    ...APPROVAL_POLICY_PROPERTY,
    description:
      'Which tool calls of its runs wait for a person; a request can only add to it. See docs/approvals.md',
  })
  @IsOptional()
  @IsApprovalPolicy()
  readonly approval_policy?: ApprovalPolicy | null;

  @ApiProperty({ enum: TOKENIZERS, required: false, default: 'cl100k_base' })
  @IsOptional()
  @IsIn(TOKENIZERS, oneOf(TOKENIZERS))
  readonly tokenizer?: string | null;

  @ApiProperty({
    ...PRICE,
    example: 2.5,
    description:
      'Price of a million input tokens. With output_price and currency, runs know their cost and may be given max_cost; no price is built in',
  })
  @IsOptional()
  @IsPrice()
  readonly input_price?: number | null;

  @ApiProperty({ ...PRICE, example: 10, description: 'Price of a million output tokens' })
  @IsOptional()
  @IsPrice()
  readonly output_price?: number | null;

  @ApiProperty({
    ...PRICE,
    example: 1.25,
    description:
      'Price of a million input tokens that the provider reports as read from its cache; without it they cost input_price',
  })
  @IsOptional()
  @IsPrice()
  readonly cached_input_price?: number | null;

  @ApiProperty({
    type: String,
    required: false,
    nullable: true,
    pattern: '^[A-Z]{3}$',
    example: 'USD',
    description: 'What the prices are in',
  })
  @IsOptional()
  @IsCurrency()
  readonly currency?: string | null;
}

/** Any of the fields; null is "not sent", so it changes nothing. An empty `api_key` removes the stored one. */
@ApiSchema({ name: 'ModelConfigUpdate' })
export class UpdateModelConfigDto extends PartialType(OmitType(CreateModelConfigDto, ['max_tokens'])) {
  @ApiProperty({
    required: false,
    nullable: true,
    oneOf: [{ type: 'integer', minimum: 1, maximum: MAX_TOKENS }, { type: 'string' }],
    description: 'Also as a text of digits; "" and "null" change nothing',
  })
  @IsOptional()
  @IsMaxTokensText()
  readonly max_tokens?: number | string | null;

  @ApiProperty({ required: false, minimum: 0, description: 'The version that the caller has read' })
  @IsOptional()
  @IsWholeNumber(0, Number.MAX_SAFE_INTEGER)
  readonly expected_version?: number | null;
}
