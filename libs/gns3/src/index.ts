export { Gns3Client, type Gns3ClientOptions, type Gns3Credentials } from './gns3-client';
export { Gns3Error, type Gns3ErrorCode } from './gns3-error';
export { LabAccess } from './lab-access';
export { consoleHost } from './console-host';
export { deviceTypeOf } from './device-type';
export { renderTopology } from './render-topology';
export type {
  Gns3Compute,
  Gns3Group,
  Gns3Link,
  Gns3Node,
  Gns3Port,
  Gns3Project,
  Gns3Template,
  Gns3User,
  Gns3Version,
} from './schemas';
export {
  computesFor,
  readTopology,
  type Topology,
  type TopologyLink,
  type TopologyNode,
  type TopologyPort,
} from './topology';
