import { z } from 'zod';
import { splitCommands } from '../tools/split-commands';

/** What a call would send to one device. */
export interface DevicePreview {
  readonly device_name: string;
  /** Each begins with `+ `: a line that would be sent, in this order. */
  readonly lines: string[];
}

const deviceCalls = z.object({
  device_configs: z.array(
    z.object({
      device_name: z.string(),
      commands: z.array(z.string()).optional(),
      config_commands: z.array(z.string()).optional(),
    }),
  ),
});

/**
 * The commands of a call as the devices would get them, since several may hide in one string; null for a tool
 * that sends none. What is in force on a device is not known here, and neither is what the filter of the tool
 * worker will refuse.
 */
export function previewOf(args: unknown): DevicePreview[] | null {
  const parsed = deviceCalls.safeParse(args);
  if (!parsed.success) return null;
  return parsed.data.device_configs.map(({ device_name, commands = [], config_commands = commands }) => ({
    device_name,
    lines: splitCommands(config_commands).map((line) => `+ ${line}`),
  }));
}
