import { ciscoIos } from './cisco-ios';
import type { ConsoleDriver } from './driver';
import { huaweiVrp } from './huawei-vrp';
import { ruijie } from './ruijie';
import { vpcs } from './vpcs';

export type DriverChoice = { driver: ConsoleDriver; warning?: string } | { error: string };

/** Values of the `device_type:` tag, as netmiko and the GNS3 templates write them. */
const DRIVERS: ReadonlyMap<string, ConsoleDriver> = new Map([
  ['cisco_ios', ciscoIos],
  ['cisco_ios_telnet', ciscoIos],
  ['cisco_xe', ciscoIos],
  ['cisco_xe_telnet', ciscoIos],
  ['huawei', huaweiVrp],
  ['huawei_telnet', huaweiVrp],
  ['huawei_vrp', huaweiVrp],
  ['huawei_vrpv8', huaweiVrp],
  ['gns3_huawei_telnet_ce', huaweiVrp],
  ['ruijie_os', ruijie],
  ['ruijie_os_telnet', ruijie],
  ['gns3_ruijie_telnet', ruijie],
  ['gns3_vpcs_telnet', vpcs],
  ['vpcs', vpcs],
]);

export const SUPPORTED_DEVICE_TYPES: readonly string[] = [...DRIVERS.keys()];

/** Command lines so unlike IOS that its commands would do harm or nothing there. */
const UNLIKE_IOS =
  /^(juniper|mikrotik|linux|cisco_(asa|xr|nxos|wlc)|fortinet|paloalto|vyos|nokia|checkpoint|generic|terminal_server|autodetect)/;

/** The driver for a node, by its `device_type` tag. Untagged nodes are taken for IOS, and the result says so. */
export function chooseDriver(deviceType: string | undefined, nodeType: string): DriverChoice {
  if (deviceType === undefined) {
    if (nodeType === 'vpcs') return { driver: vpcs };
    return {
      driver: ciscoIos,
      warning: `The node has no device_type tag and was treated as cisco_ios. Tag it "device_type:<type>" in GNS3 (${SUPPORTED_DEVICE_TYPES.join(', ')}).`,
    };
  }
  const driver = DRIVERS.get(deviceType);
  if (driver !== undefined) return { driver };
  if (UNLIKE_IOS.test(deviceType)) {
    return {
      error: `device_type '${deviceType}' is not supported. Supported: ${SUPPORTED_DEVICE_TYPES.join(', ')}.`,
    };
  }
  return {
    driver: ciscoIos,
    warning: `device_type '${deviceType}' is not known and was treated as cisco_ios.`,
  };
}
