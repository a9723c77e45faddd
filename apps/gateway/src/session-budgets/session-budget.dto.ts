import { SESSION_BUDGETS } from '@copilot/contracts';
import {
  remainingOf,
  SESSION_BUDGET_RANGES,
  sessionBudgetSchema,
  type SessionBudget,
  type SessionTotals,
} from '@copilot/limits';
import { sessionTotals, type BudgetedSession } from '@copilot/persistence';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsAmount } from '../validation/amount-rule';
import { IsWholeNumber } from '../validation/whole-number';

const ranges = SESSION_BUDGET_RANGES;

const whole = ({ min, max }: { min: number; max: number }, description: string) => ({
  type: 'integer' as const,
  minimum: min,
  maximum: max,
  nullable: true,
  description,
});
const Whole = ({ min, max }: { min: number; max: number }) => IsWholeNumber(min, max);

/** Totals over a session's life; null = no budget. */
@ApiSchema({ name: 'SessionBudgetRequest' })
export class SessionBudgetDto implements Partial<SessionBudget> {
  @ApiProperty({ ...whole(ranges.max_total_tool_calls, 'Executed tool calls'), required: false })
  @IsOptional()
  @Whole(ranges.max_total_tool_calls)
  readonly max_total_tool_calls?: number | null;

  @ApiProperty({ ...whole(ranges.max_total_llm_calls, 'Model calls'), required: false })
  @IsOptional()
  @Whole(ranges.max_total_llm_calls)
  readonly max_total_llm_calls?: number | null;

  @ApiProperty({ ...whole(ranges.max_total_tokens, 'Input and output tokens'), required: false })
  @IsOptional()
  @Whole(ranges.max_total_tokens)
  readonly max_total_tokens?: number | null;

  @ApiProperty({
    type: Number,
    exclusiveMinimum: true,
    minimum: ranges.max_total_cost.above,
    maximum: ranges.max_total_cost.max,
    nullable: true,
    required: false,
    description: "In the currency of the session's model config",
  })
  @IsOptional()
  @IsAmount()
  readonly max_total_cost?: number | null;
}

@ApiSchema({ name: 'SessionTotals' })
class SessionTotalsDto implements SessionTotals {
  @ApiProperty()
  readonly tool_calls!: number;
  @ApiProperty()
  readonly llm_calls!: number;
  @ApiProperty()
  readonly tokens!: number;
  @ApiProperty()
  readonly cost!: number;
}

@ApiSchema({ name: 'SessionBudgets' })
class SessionBudgetsDto implements SessionBudget {
  @ApiProperty({ type: Number, nullable: true })
  readonly max_total_tool_calls!: number | null;
  @ApiProperty({ type: Number, nullable: true })
  readonly max_total_llm_calls!: number | null;
  @ApiProperty({ type: Number, nullable: true })
  readonly max_total_tokens!: number | null;
  @ApiProperty({ type: Number, nullable: true })
  readonly max_total_cost!: number | null;
}

@ApiSchema({ name: 'SessionBudget' })
export class SessionBudgetResource extends SessionBudgetsDto {
  @ApiProperty()
  readonly session_id!: string;
  @ApiProperty({ type: SessionTotalsDto, description: 'By all runs, one at work as far as its last turn' })
  readonly used!: SessionTotalsDto;
  @ApiProperty({ type: SessionBudgetsDto, description: 'Of each budget; null = no budget' })
  readonly remaining!: SessionBudgetsDto;
}

export function budgetResource({ session, atWork }: BudgetedSession): SessionBudgetResource {
  const budget = sessionBudgetSchema.parse(session.budget);
  const used = atWork.reduce<SessionTotals>(
    (sum, usage) => ({
      tool_calls: sum.tool_calls + usage.tool_calls,
      llm_calls: sum.llm_calls + usage.llm_calls,
      tokens: sum.tokens + usage.total_tokens,
      cost: sum.cost + (usage.cost?.amount ?? 0),
    }),
    sessionTotals(session),
  );
  return { session_id: session.sessionId, ...budget, used, remaining: remainingOf(budget, used) };
}

/** The budgets that a request names. */
export function namedBudgets(request: SessionBudgetDto): Record<string, number | null> {
  return Object.fromEntries(
    SESSION_BUDGETS.flatMap((name) => {
      const value = request[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
