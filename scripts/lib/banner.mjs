import { configsPath } from './gateway-http.mjs';

const chatCurl = (url, projectId) =>
  `curl -N -X POST ${url}/v3/projects/${projectId}/chat/stream -H 'content-type: application/json' ` +
  `-d '{"message":"Show the status of all interfaces"}'`;

const exampleConfig = {
  name: 'My model',
  model_type: 'text',
  is_default: true,
  provider: 'openai',
  base_url: 'https://api.openai.com/v1',
  model: 'gpt-5',
  api_key: 'YOUR-KEY',
  context_limit: 128,
  copilot_mode: 'lab_automation_assistant',
};

const configCurl = (url) =>
  `curl -X POST ${url}${configsPath} -H 'content-type: application/json' -d '${JSON.stringify(exampleConfig)}'`;

/**
 * What a newcomer needs once all is up. `projectId` is undefined where the lab is not the demo's, `modelReady`
 * says whether a model is configured; without it the banner shows how to create one. Without `keepsData` all is
 * gone at the end.
 */
export function bannerText({ url, projectId, modelReady, keepsData }) {
  const lines = [
    'GNS3 Copilot is ready',
    '',
    `  Gateway     ${url}`,
    `  API docs    ${url}/docs`,
    `  Dashboard   ${url}/admin/queues`,
    `  Project     ${projectId ?? 'any open project of your GNS3 server'}`,
  ];
  if (!modelReady) lines.push('', 'Tell it which model to use:', '', configCurl(url));
  lines.push(
    '',
    'Ask it something:',
    '',
    chatCurl(url, projectId ?? 'PROJECT-ID'),
    '',
    keepsData
      ? 'Ctrl-C stops everything.'
      : 'Ctrl-C stops everything, and what you did is gone then; npm start -- --data DIR keeps it.',
  );
  return lines.join('\n');
}
