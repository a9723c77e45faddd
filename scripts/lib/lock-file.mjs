import { readFile, rename, rm, writeFile } from 'node:fs/promises';

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

async function holder(path) {
  const text = await readFile(path, 'utf8').catch(() => '');
  return Number.parseInt(text, 10);
}

/**
 * Takes the lock `path` for this process: returns the function that releases it, or null while another
 * living process holds it. A lock whose holder was killed is taken over,
 * unless it belongs to another user in a folder where that is not allowed: then it counts as held.
 */
export async function lockFile(path) {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      await writeFile(path, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
      let held = true;
      return async () => {
        // Released twice, it would take away the lock of the next holder.
        if (!held) return;
        held = false;
        await rm(path, { force: true });
      };
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const pid = await holder(path);
    // Not a number: its holder is between creating and writing the file.
    if (Number.isNaN(pid) || isAlive(pid)) return null;
    // Renaming first lets only one of several takers remove the dead lock.
    const dead = `${path}.${process.pid}`;
    await rename(path, dead).then(
      () => rm(dead, { force: true }),
      () => undefined,
    );
  }
  return null;
}
