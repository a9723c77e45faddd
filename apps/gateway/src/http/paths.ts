/** Two spellings of each path: the one of the design documents and the one of the server's web UI. */
export const CHAT_PATHS = ['v3/projects/:project_id/chat', 'v3/copilot/projects/:project_id/chat'];
export const SKILLS_PATH = 'v3/copilot/reload/skills';
export const USER_CONFIG_PATHS = [
  'v3/users/:user_id/llm-model-configs',
  'v3/access/users/:user_id/llm-model-configs',
];
export const GROUP_CONFIG_PATHS = [
  'v3/groups/:group_id/llm-model-configs',
  'v3/access/groups/:group_id/llm-model-configs',
];
