import { afterEach } from '@jest/globals';
import { FakeIos, type FakeIosOptions } from '../../consoles/testing/fake-ios';
import { FakeLab, type FakeNode } from './fake-lab';

/** Starts a lab for a test and stops it after it. */
export function labs(): (...nodes: FakeNode[]) => Promise<FakeLab> {
  let lab: FakeLab | undefined;
  afterEach(async () => {
    await lab?.stop();
    lab = undefined;
  });
  return async (...nodes) => {
    lab = await FakeLab.start(nodes);
    return lab;
  };
}

export function router(name: string, options: FakeIosOptions = {}): FakeNode {
  return { name, device: new FakeIos({ host: name, ...options }) };
}

export const show = (device_name: string, ...commands: string[]) => ({ device_name, commands });
export const config = (device_name: string, ...config_commands: string[]) => ({
  device_name,
  config_commands,
});

export function bound(running: FakeLab) {
  return { context: running.context.bind(running), received: running.received.bind(running) };
}
