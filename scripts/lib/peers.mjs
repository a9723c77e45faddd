/** Programs that are not ours, in the versions that the peer tests run beside. */
import { cacheFolder } from './cache-folder.mjs';
import { debianProgram } from './debian-package.mjs';
import { pythonProgram } from './python-package.mjs';

const debian = (wanted) => async () => debianProgram(await cacheFolder(), wanted);
const python = (wanted) => async () => pythonProgram(await cacheFolder(), wanted);

export const findNginx = debian({ name: 'nginx', program: 'usr/sbin/nginx', packages: ['nginx'] });

export const findChromium = debian({
  name: 'chromium',
  program: 'usr/lib/chromium/chromium',
  packages: ['chromium', 'chromium-common'],
});

export const findSchemathesis = python({
  package: 'schemathesis',
  version: '4.32.5',
  program: 'schemathesis',
});

/** The newest release of the line that has the copilot; its wheel carries the web UI. */
export const findGns3Server = python({ package: 'gns3-server', version: '3.1.0a7', program: 'gns3server' });
