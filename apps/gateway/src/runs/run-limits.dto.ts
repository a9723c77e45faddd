import {
  COST_RANGE,
  LIMIT_RANGES,
  ON_LIMIT_REACHED,
  type EffectiveLimits,
  type OnLimitReached,
} from '@copilot/limits';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsNumber, IsOptional, Max, Min } from 'class-validator';
import { IsAmount } from '../validation/amount-rule';
import { IsToolCounts } from '../validation/tool-counts';
import { IsWholeNumber } from '../validation/whole-number';

const ranges = LIMIT_RANGES;
const { tool_limits: perTool, temperature: heat } = ranges;
const IN_RANGE_OF_TEMPERATURE = { message: `must be a number from ${heat.min} to ${heat.max}` };

const whole = ({ min, max }: { min: number; max: number }) => ({
  type: 'integer' as const,
  minimum: min,
  maximum: max,
  required: false,
  nullable: true,
});

const Whole = ({ min, max }: { min: number; max: number }) => IsWholeNumber(min, max);

/** The limits that a request may set for its run; a null is "not set". Their meaning: docs/limits.md. */
@ApiSchema({ name: 'RunLimits' })
export class RunLimitsDto {
  @ApiProperty({
    ...whole(ranges.max_iterations),
    default: 20,
    description:
      'Model calls of this run; one iteration is one model call with the tools that it asks for. The last one gets no tools and answers from what there is',
  })
  @IsOptional()
  @Whole(ranges.max_iterations)
  readonly max_iterations?: number | null;

  @ApiProperty({
    ...whole(ranges.max_tool_calls),
    description: 'Tool calls that this run executes; without it they are unlimited',
  })
  @IsOptional()
  @Whole(ranges.max_tool_calls)
  readonly max_tool_calls?: number | null;

  @ApiProperty({
    ...whole(ranges.max_device_config_calls),
    description: 'Executed calls of tools that configure devices; without it they are unlimited',
  })
  @IsOptional()
  @Whole(ranges.max_device_config_calls)
  readonly max_device_config_calls?: number | null;

  @ApiProperty({
    ...whole(ranges.max_diagnostic_calls),
    description: 'Executed calls of tools that only read; without it they are unlimited',
  })
  @IsOptional()
  @Whole(ranges.max_diagnostic_calls)
  readonly max_diagnostic_calls?: number | null;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'integer', minimum: perTool.min, maximum: perTool.max },
    nullable: true,
    default: {},
    example: { execute_multiple_device_commands: 10, execute_vpcs_commands: 0 },
    description: 'Executed calls by tool name; 0 switches the tool off for this run',
  })
  @IsOptional()
  @IsToolCounts(perTool.min, perTool.max)
  readonly tool_limits?: Readonly<Record<string, number>> | null;

  @ApiProperty({
    ...whole(ranges.max_execution_time_seconds),
    description: "Wall clock from the run's first step; the default is the service's RUN_MAX_SECONDS, 900",
  })
  @IsOptional()
  @Whole(ranges.max_execution_time_seconds)
  readonly max_execution_time_seconds?: number | null;

  @ApiProperty({
    ...whole(ranges.max_retries_per_tool),
    default: 1,
    description: 'Further attempts of one call, only with retry_on_tool_error',
  })
  @IsOptional()
  @Whole(ranges.max_retries_per_tool)
  readonly max_retries_per_tool?: number | null;

  @ApiProperty({
    type: Boolean,
    required: false,
    nullable: true,
    default: false,
    description: 'Retry failed calls of tools that only read; a tool that changes anything is never retried',
  })
  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  readonly retry_on_tool_error?: boolean | null;

  @ApiProperty({
    ...whole(ranges.max_parallel_tools),
    default: 5,
    description:
      'Calls of this run that execute at once; 1 is strictly in the order in which the model asked',
  })
  @IsOptional()
  @Whole(ranges.max_parallel_tools)
  readonly max_parallel_tools?: number | null;

  @ApiProperty({
    enum: ON_LIMIT_REACHED,
    required: false,
    nullable: true,
    default: 'warn',
    description:
      'fail: the run ends as failed. warn: refuse what is over the limit and end with an answer. continue: go on to the ceilings of the service (100 model calls, 50 tool calls, one hour)',
  })
  @IsOptional()
  @IsIn(ON_LIMIT_REACHED, { message: `must be one of ${ON_LIMIT_REACHED.join(', ')}` })
  readonly on_limit_reached?: OnLimitReached | null;

  @ApiProperty({
    type: Number,
    minimum: heat.min,
    maximum: heat.max,
    required: false,
    nullable: true,
    description: "For this run only; the default is the model config's",
  })
  @IsOptional()
  @IsNumber({}, IN_RANGE_OF_TEMPERATURE)
  @Min(heat.min, IN_RANGE_OF_TEMPERATURE)
  @Max(heat.max, IN_RANGE_OF_TEMPERATURE)
  readonly temperature?: number | null;

  @ApiProperty({
    type: Number,
    exclusiveMinimum: true,
    minimum: COST_RANGE.above,
    maximum: COST_RANGE.max,
    required: false,
    nullable: true,
    example: 0.05,
    description:
      'What this run may cost, in the currency of the model config, which must have prices; without it no cost is judged. The next model call is judged before it is made, by its counted input and an assumed output',
  })
  @IsOptional()
  @IsAmount()
  readonly max_cost?: number | null;

  @ApiProperty({
    type: Boolean,
    required: false,
    nullable: true,
    default: false,
    description:
      'Send a cost_estimate event before the first model call: tokens, expected iterations and tool calls, low, expected and high cost',
  })
  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  readonly estimate_cost_before_execution?: boolean | null;

  @ApiProperty({
    type: Boolean,
    required: false,
    nullable: true,
    default: false,
    description:
      'The service chooses the limits on model calls and tool calls that the request leaves out, by one short planner call, and raises them while the work is new. Limits that are given are never raised',
  })
  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  readonly auto_adjust_limits?: boolean | null;
}

const NO_LIMIT = { type: Number, nullable: true, description: 'null: unlimited' } as const;

/** The limits that hold for a run, defaults included. */
@ApiSchema({ name: 'EffectiveLimits' })
export class EffectiveLimitsDto implements EffectiveLimits {
  @ApiProperty()
  readonly max_iterations!: number;
  @ApiProperty(NO_LIMIT)
  readonly max_tool_calls!: number | null;
  @ApiProperty(NO_LIMIT)
  readonly max_device_config_calls!: number | null;
  @ApiProperty(NO_LIMIT)
  readonly max_diagnostic_calls!: number | null;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' } })
  readonly tool_limits!: EffectiveLimits['tool_limits'];
  @ApiProperty()
  readonly max_execution_time_seconds!: number;
  @ApiProperty()
  readonly max_retries_per_tool!: number;
  @ApiProperty()
  readonly retry_on_tool_error!: boolean;
  @ApiProperty()
  readonly max_parallel_tools!: number;
  @ApiProperty({ enum: ON_LIMIT_REACHED })
  readonly on_limit_reached!: OnLimitReached;
  @ApiProperty({ type: Number, nullable: true, description: "null: the model config's" })
  readonly temperature!: number | null;
  @ApiProperty(NO_LIMIT)
  readonly max_cost!: number | null;
  @ApiProperty()
  readonly estimate_cost_before_execution!: boolean;
  @ApiProperty()
  readonly auto_adjust_limits!: boolean;
}
