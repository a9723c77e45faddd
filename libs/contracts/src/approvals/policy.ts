import { z } from 'zod';
import { TOOL_CATALOGUE, TOOL_NAMES, type ToolName } from '../tools/catalogue';

/** Which calls of a run wait for a person; a list names the tools one by one. */
export const NAMED_APPROVAL_POLICIES = ['never', 'config_tools', 'all_changing_tools'] as const;
export const approvalPolicySchema = z.union([z.enum(NAMED_APPROVAL_POLICIES), z.array(z.enum(TOOL_NAMES))]);
export type ApprovalPolicy = z.infer<typeof approvalPolicySchema>;

/** How long a person may take: a day, if the request does not say. */
export const APPROVAL_TIMEOUT_SECONDS = { min: 1, max: 604_800, byDefault: 86_400 } as const;

/** A stored policy. One that cannot be read is taken as the most careful one that has a name. */
export function storedApprovalPolicy(value: unknown): ApprovalPolicy {
  if (value === undefined || value === null) return 'never';
  const parsed = approvalPolicySchema.safeParse(value);
  return parsed.success ? parsed.data : 'all_changing_tools';
}

/** Whether a person has to approve calls of this tool: one policy that says so is enough. */
export function needsApproval(policies: readonly ApprovalPolicy[], tool: ToolName): boolean {
  const { category, effect } = TOOL_CATALOGUE[tool];
  return policies.some((policy) => {
    switch (policy) {
      case 'never':
        return false;
      case 'config_tools':
        return category === 'config';
      case 'all_changing_tools':
        return effect === 'changing';
      default:
        return policy.includes(tool);
    }
  });
}

/** The tools whose calls wait, in the order of the catalogue. */
export function toolsToApprove(policies: readonly ApprovalPolicy[]): ToolName[] {
  return TOOL_NAMES.filter((tool) => needsApproval(policies, tool));
}
