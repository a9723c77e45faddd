/**
 * Prints the context windows of well-known models as values for `context_limit`. A reference for people who fill
 * in a model config, and nothing the service reads: the vendor's page is the authority, and windows change.
 */
const VENDORS = [
  {
    name: 'OpenAI',
    page: 'https://platform.openai.com/docs/models',
    models: [
      ['gpt-5, gpt-5-mini, gpt-5-nano, gpt-5.1', 400_000],
      ['gpt-4.1, gpt-4.1-mini, gpt-4.1-nano', 1_047_576],
      ['o3, o4-mini', 200_000],
      ['gpt-4o, gpt-4o-mini', 128_000],
      ['gpt-4-turbo', 128_000],
      ['gpt-3.5-turbo', 16_385],
    ],
  },
  {
    name: 'Anthropic',
    page: 'https://platform.claude.com/docs/en/build-with-claude/context-windows',
    models: [
      ['Claude Opus 4.6, Claude Sonnet 4.6', 1_000_000],
      ['Claude Opus 4.5, Claude Sonnet 4.5, Claude Haiku 4.5', 200_000],
    ],
  },
  {
    name: 'Google',
    page: 'https://ai.google.dev/gemini-api/docs/models',
    models: [
      ['gemini-2.5-pro, gemini-2.5-flash', 1_048_576],
      ['gemini-2.0-flash', 1_048_576],
    ],
  },
  {
    name: 'DeepSeek',
    page: 'https://api-docs.deepseek.com/quick_start/pricing',
    models: [['deepseek-chat, deepseek-reasoner', 128_000]],
  },
  {
    name: 'xAI',
    page: 'https://docs.x.ai/docs/models',
    models: [
      ['grok-4', 256_000],
      ['grok-3, grok-3-mini', 131_072],
    ],
  },
];

const NAME_WIDTH = Math.max(...VENDORS.flatMap(({ models }) => models.map(([name]) => name.length)));

console.log(
  'Values for context_limit (K tokens, 1K = 1000, rounded up). For reference only: windows change, and',
);
console.log("the vendor's own page is the authority. The service has no built-in window sizes.");
for (const { name, page, models } of VENDORS) {
  console.log(`\n${name}  ${page}`);
  for (const [model, tokens] of models) {
    const limit = String(Math.ceil(tokens / 1_000)).padStart(5);
    console.log(
      `  ${model.padEnd(NAME_WIDTH)}  ${tokens.toLocaleString('en-US').padStart(9)} tokens  context_limit ${limit}`,
    );
  }
}
