/** Result shapes of the device tools, as the wire contract shows them; one entry a device, in request order. */

export interface DeviceCommandsResult {
  device_name: string;
  /** `partial_success`: some commands were blocked or refused, the others ran. */
  status: 'success' | 'partial_success' | 'failed';
  output: string;
  diagnostic_commands?: string[];
  error?: string;
  /** How the device was treated where that is in doubt, e.g. as IOS for want of a tag. */
  warning?: string;
  blocked_commands?: string[];
  blocked_info?: Record<string, string>;
}

export interface DeviceConfigResult {
  device_name: string;
  status: 'success' | 'partial_success' | 'failed';
  output: string;
  config_commands?: string[];
  error?: string;
  /** How the device was treated where that is in doubt, e.g. as IOS for want of a tag. */
  warning?: string;
  blocked_commands?: string[];
  blocked_info?: Record<string, string>;
}

export interface VpcsResult {
  device_name: string;
  status: 'success' | 'error';
  output: string;
  commands: string[];
  error?: string;
  /** How the device was treated where that is in doubt, e.g. as IOS for want of a tag. */
  warning?: string;
  blocked_commands?: string[];
  blocked_info?: Record<string, string>;
}
