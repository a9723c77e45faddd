import { effectiveLimits, type EffectiveLimits } from '../effective';
import type { RequestedLimits } from '../request';

export const SHOW = 'execute_multiple_device_commands';
export const CONFIG = 'execute_multiple_device_config_commands';

export const limitsOf = (requested: RequestedLimits): EffectiveLimits =>
  effectiveLimits(requested, { maxSeconds: 900 });
