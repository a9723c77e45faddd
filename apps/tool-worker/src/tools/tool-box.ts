import type { ToolArgs, ToolName } from '@copilot/contracts';
import { TOOL_RUNNERS } from './index';
import type { ToolScope, ToolServices } from './tool-context';

/** The tools with what they work with, ready for calls. */
export class ToolBox {
  constructor(private readonly services: ToolServices) {}

  async run<Name extends ToolName>(
    call: { name: Name; args: ToolArgs<Name> },
    scope: ToolScope,
  ): Promise<unknown> {
    const { lab, forbidden: inForce, ...services } = this.services;
    const [gns3, forbidden] = await Promise.all([lab.clientFor(scope), inForce()]);
    return TOOL_RUNNERS[call.name](call.args, { ...services, ...scope, gns3, forbidden });
  }
}
