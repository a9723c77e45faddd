import type { RunEstimate } from '@copilot/limits';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ name: 'EstimatedCost' })
class EstimatedCost {
  @ApiProperty({ description: 'The run answers with its first model call', example: 0.009 })
  readonly low!: number;
  @ApiProperty({ description: 'The run takes what the runs before took in the median', example: 0.021 })
  readonly expected!: number;
  @ApiProperty({ description: 'Nine of ten runs before stayed below it', example: 0.08 })
  readonly high!: number;
  @ApiProperty({ example: 'USD' })
  readonly currency!: string;
}

/** What a message would take, as the `cost_estimate` event says it. */
@ApiSchema({ name: 'RunEstimate' })
export class RunEstimateDto implements RunEstimate {
  @ApiProperty({ description: 'Tokens of the first model call: prompt, lab, conversation and tools' })
  readonly input_tokens!: number;
  @ApiProperty({ description: "Median of the caller's last 50 runs with the model, within the limits" })
  readonly expected_iterations!: number;
  @ApiProperty()
  readonly expected_tool_calls!: number;
  @ApiProperty({ description: 'Of the whole run' })
  readonly expected_output_tokens!: number;
  @ApiProperty({
    description: 'Runs that the expectation is made from; 0: there were none, and a default is used',
  })
  readonly based_on_runs!: number;
  @ApiProperty({
    type: EstimatedCost,
    nullable: true,
    description: 'null where the model config has no prices',
  })
  readonly cost!: EstimatedCost | null;
  @ApiProperty({ type: String, nullable: true, description: 'Why there is no cost' })
  readonly reason!: string | null;
  @ApiProperty({ type: [String], description: 'What is not in the figures' })
  readonly notes!: readonly string[];
}
