import { describe, expect, it } from '@jest/globals';
import { splitSecrets } from './secret-settings';

describe('splitSecrets', () => {
  it.each<Record<string, unknown>>([
    { aws_secret_access_key: 'abc' },
    { accessToken: 'abc' },
    { 'x-api-key': 'abc' },
    { Authorization: 'Basic abc' },
    { headers: { 'X-Team': 'lab', Authorization: 'Bearer abc' } },
    { tokens: ['abc'] },
    { note: 'sk-0123456789abcdef' },
    { deep: [{ er: { password: 'abc' } }] },
  ])('takes %j apart and leaves null in its place', (settings) => {
    const [name = ''] = Object.keys(settings);
    expect(splitSecrets({ model: 'm', ...settings })).toEqual({
      plain: { model: 'm', [name]: null },
      secret: settings,
    });
  });

  it.each<Record<string, unknown>>([
    { max_tokens: 4_096 },
    { max_completion_tokens: 4_096 },
    { tokenizer: 'o200k_base' },
    { model: 'sk-model-0123456789' },
    { stop: ['END'] },
    { api_token: '' },
    { thinking: { enabled: true, budget_tokens: 1_000 } },
    { keyboard: 'qwerty' },
  ])('leaves %j as it is', (settings) => {
    expect(splitSecrets(settings)).toEqual({ plain: settings, secret: {} });
  });
});
