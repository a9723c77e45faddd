export { hostIsAllowed, isPrivateAddress } from './allowed-hosts';
export { withDeadline } from './deadline';
export { CLOSING_SECONDS, endInTime } from './end-in-time';
export { endWithParent } from './parent-pipe';
export { parseEnv, SettingsError } from './parse-env';
export { parseRedisUrl, type HostPort, type RedisServers } from './redis-url';
export { commonSettings, gns3Settings, modelHostSettings, wholeNumber } from './shared-settings';
export { ServiceRefusedError, ServiceUnusableError, waitUntilUsable } from './wait-until-usable';
