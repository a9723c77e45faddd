import { approvalPolicySchema, isToolName, NAMED_APPROVAL_POLICIES, TOOL_NAMES } from '@copilot/contracts';
import { ValidateBy } from 'class-validator';

/** Which calls wait for a person. The message says what is wrong with it. */
export function IsApprovalPolicy(): PropertyDecorator {
  return ValidateBy({
    name: 'isApprovalPolicy',
    validator: {
      validate: (value: unknown) => approvalPolicySchema.safeParse(value).success,
      defaultMessage: (validated) => faultOf(validated?.value),
    },
  });
}

/** As the API document shows it. */
export const APPROVAL_POLICY_PROPERTY = {
  required: false,
  nullable: true,
  oneOf: [
    { type: 'string', enum: [...NAMED_APPROVAL_POLICIES] },
    { type: 'array', items: { type: 'string', enum: [...TOOL_NAMES] } },
  ],
  default: 'never',
};

function faultOf(value: unknown): string {
  const rule = `must be ${NAMED_APPROVAL_POLICIES.join(', ')} or a list of tool names`;
  const isKnown = (name: unknown) => typeof name === 'string' && isToolName(name);
  return Array.isArray(value) && !value.every(isKnown)
    ? `${rule}; the known tools are ${TOOL_NAMES.join(', ')}`
    : rule;
}
