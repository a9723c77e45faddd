import { dirname } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { APPS, BUILD_OUTPUTS } from './build-outputs';
import { readJson, readText } from './checkout';
import { argumentsOf, dockerfileStages, execForm, inheritedInstructions } from './dockerfile';

const stages = dockerfileStages();
const images = stages.map(({ name }) => name).filter((name) => name.startsWith('app-'));
const bundles = BUILD_OUTPUTS.flatMap((output) => output.bundles);
const files = BUILD_OUTPUTS.flatMap((output) => output.files);

/** Sources of COPY in a stage, from another stage or from the checkout. */
function copies(stage: string, from?: string): string[] {
  const flag = from === undefined ? '' : `--from=${from} `;
  return argumentsOf(inheritedInstructions(stages, stage), 'COPY')
    .filter((rest) => (from === undefined ? !rest.startsWith('--') : rest.startsWith(flag)))
    .flatMap((rest) => rest.slice(flag.length).split(/\s+/).slice(0, -1));
}

/** The bundle that an image starts: the last CMD wins. */
function startedBundle(image: string): string {
  const [program, bundle, ...rest] = execForm(
    argumentsOf(inheritedInstructions(stages, image), 'CMD').at(-1) ?? '[]',
  );
  expect([program, rest]).toEqual(['node', []]);
  return bundle ?? '';
}

describe('the Dockerfile', () => {
  it('has an image for each app of the monorepo, and one that migrates', () => {
    expect(images.sort()).toEqual([...APPS.map((app) => `app-${app}`), 'app-migrate'].sort());
  });

  it('builds the image that APP names', () => {
    expect(stages.at(-1)).toMatchObject({ from: 'app-${APP}', instructions: [] });
  });

  it.each(images)('%s starts a bundle of its own that the build makes', (image) => {
    const name = image.replace('app-', '');
    expect(bundles).toContain(startedBundle(image));
    expect(startedBundle(image)).toBe(APPS.includes(name) ? `dist/apps/${name}/main.js` : `dist/${name}.js`);
  });

  it.each(images)('%s has its bundle and the files that the bundle reads beside itself', (image) => {
    const bundle = startedBundle(image);
    const needed = [bundle, ...files.filter((file) => dirname(file) === dirname(bundle))];
    const copied = copies(image, 'build').map((source) => source.replace('/app/', ''));
    for (const file of needed) {
      expect(copied.filter((source) => file === source || file.startsWith(`${source}/`))).toHaveLength(1);
    }
  });

  it.each(images)('%s runs as an ordinary user and is stopped by SIGTERM', (image) => {
    const all = inheritedInstructions(stages, image);
    expect(argumentsOf(all, 'USER')).toEqual(['node']);
    expect(argumentsOf(all, 'STOPSIGNAL')).toEqual(['SIGTERM']);
  });

  it.each(images)('%s has the packages of production and no others', (image) => {
    expect(copies(image, 'prod-deps')).toEqual(['/app/node_modules']);
    const [install] = argumentsOf(inheritedInstructions(stages, 'prod-deps'), 'RUN');
    expect(install?.split(' ')).toEqual(expect.arrayContaining(['ci', '--omit=dev', '--omit=optional']));
  });

  it('takes nothing of the checkout that .dockerignore holds back, and holds back all else', () => {
    const [first, ...exceptions] = readText('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(first).toBe('*');
    const taken = new Set(stages.flatMap(({ name }) => copies(name)).map((path) => path.replace('./', '')));
    expect(exceptions.sort()).toEqual([...taken].map((path) => `!${path}`).sort());
  });

  it('is built on a named release of Node that the service runs on', () => {
    const { engines } = z.object({ engines: z.object({ node: z.string() }) }).parse(readJson('package.json'));
    const outside = stages
      .map(({ from }) => from)
      .filter((from) => from !== 'app-${APP}' && !stages.some(({ name }) => name === from));
    expect(outside).toHaveLength(1);
    const [, major] = /^node:(\d+)-\w+-slim$/.exec(outside[0] ?? '') ?? [];
    const [, oldest] = /^>=(\d+)\./.exec(engines.node) ?? [];
    expect(Number(major)).toBeGreaterThanOrEqual(Number(oldest));
  });

  it('asks the gateway for its health where the gateway serves it', () => {
    const [check] = argumentsOf(inheritedInstructions(stages, 'app-gateway'), 'HEALTHCHECK');
    const command = /\sCMD (\[.*\])$/.exec(check ?? '')?.[1] ?? '[]';
    const [, path] = /\$\{process\.env\.PORT \|\| 3090\}(\/[a-z/]+)`/.exec(execForm(command).join(' ')) ?? [];
    const { paths } = z
      .object({ paths: z.record(z.string(), z.unknown()) })
      .parse(readJson('docs/openapi.json'));
    expect(paths).toHaveProperty([path ?? 'no path'], expect.objectContaining({ get: expect.anything() }));
  });
});
