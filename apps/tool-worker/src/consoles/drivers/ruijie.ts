import { ciscoIos } from './cisco-ios';
import type { ConsoleDriver } from './driver';

/** RGOS speaks IOS, but knows no terminal width above 256. */
export const ruijie: ConsoleDriver = {
  ...ciscoIos,
  name: 'ruijie_os',
  setup: ['terminal length 0', 'terminal width 256'],
};
