import { executeToolCallJob, type ExecuteToolCall } from '@copilot/contracts';
import type { FlowJob, FlowJobNode, FlowProducer, Job } from 'bullmq';
import { toolCallJobId, type ToolCallPlace } from './job-ids';
import { JOB_POLICY } from './worker-policy';

export type ToolCallJob = ExecuteToolCall & ToolCallPlace;

/** Adds tool calls as children of their run's job. */
export class ToolCallFlows {
  constructor(private readonly flows: FlowProducer) {}

  /**
   * Each lane is worked off in order: a call is the child of the call after it, the last one a child of
   * the run. Lanes run side by side. Adding the same lanes again, after a crash, is harmless.
   */
  async add(parent: Job, lanes: readonly (readonly ToolCallJob[])[]): Promise<void> {
    const parentOpts = { id: parentId(parent), queue: parent.queueQualifiedName };
    await this.flows.addBulk(
      lanes.flatMap((lane): FlowJob[] => {
        const chain = lane.reduce<FlowJobNode | undefined>((before, call) => node(call, before), undefined);
        return chain ? [{ ...chain, opts: { ...chain.opts, parent: parentOpts } }] : [];
      }),
    );
  }
}

function node(call: ToolCallJob, before: FlowJobNode | undefined): FlowJobNode {
  return {
    name: executeToolCallJob.name,
    queueName: executeToolCallJob.queue,
    data: executeToolCallJob.schema.parse(call),
    // A call that fails for good must not hold its run for ever: the run reads the row and goes on.
    opts: { ...JOB_POLICY, jobId: toolCallJobId(call), ignoreDependencyOnFailure: true },
    ...(before ? { children: [before] } : {}),
  };
}

function parentId(job: Job): string {
  if (job.id === undefined) throw new Error('a run job has an id');
  return job.id;
}
