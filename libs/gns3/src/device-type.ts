import type { Gns3Node } from './schemas';

/**
 * The name of the command line a node speaks, as the `device_type:` tag gives it; newer servers have a
 * field for it. Undefined where the lab's owner has not said.
 */
export function deviceTypeOf(node: Gns3Node): string | undefined {
  const tag = (node.tags ?? []).find((candidate) => /^device_type:/i.test(candidate.trim()));
  const value = (tag?.trim().slice('device_type:'.length) ?? node.netmiko_device_type ?? '')
    .trim()
    .toLowerCase();
  return value === '' ? undefined : value;
}
