import { setTimeout as delay } from 'node:timers/promises';
import { LaunchError } from './launch-error.mjs';

const POLL_MS = 150;
const ANSWER_TIMEOUT_MS = 10_000;
const LOCAL_USER = '00000000-0000-4000-8000-000000000001';
const CONFIG_NAME = 'Demo model';

export const configsPath = `/v3/users/${LOCAL_USER}/llm-model-configs`;

/** Resolves once the gateway says that it can serve, or when `signal` ends the wait. */
export async function gatewayIsReady(baseUrl, signal) {
  while (!signal.aborted) {
    const answer = await fetch(`${baseUrl}/health/ready`, { signal }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.status === 200) return;
    await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function call(baseUrl, method, path, body) {
  const answer = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  const text = await answer.text();
  if (!answer.ok) throw new LaunchError(`${method} ${path} answered ${answer.status}: ${text.slice(0, 500)}`);
  return JSON.parse(text);
}

/**
 * Makes the demo model the local user's default model when that user has no model at all. One that a former
 * start made in kept data is brought up to date, since the model's port may be another one now.
 */
export async function ensureDemoModelConfig(baseUrl, modelUrl) {
  const wanted = {
    name: CONFIG_NAME,
    model_type: 'text',
    provider: 'openai',
    base_url: modelUrl,
    model: 'demo-netops',
    api_key: 'demo-key',
    context_limit: 128,
    // Made up like the model itself, so that the demo can show costs.
    input_price: 2,
    output_price: 8,
    currency: 'USD',
    copilot_mode: 'lab_automation_assistant',
  };
  const { configs } = await call(baseUrl, 'GET', configsPath);
  if (configs.length === 0) {
    await call(baseUrl, 'POST', configsPath, { ...wanted, is_default: true });
    return;
  }
  const former = configs.find((config) => config.name === CONFIG_NAME);
  if (former === undefined) return;
  const update = { base_url: wanted.base_url, api_key: wanted.api_key };
  await call(baseUrl, 'PUT', `${configsPath}/${former.config_id}`, update);
}
