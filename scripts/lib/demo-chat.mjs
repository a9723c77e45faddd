/** The project of the demo lab. */
export const DEMO_PROJECT = '11111111-1111-4111-8111-111111111111';

const CONVERSATION_LIMIT_MS = 180_000;

/** Sends a message and yields the events of its run; throws where it is refused. */
export async function* chat({ url, project, token }, body) {
  const response = await fetch(`${url}/v3/projects/${project}/chat/stream`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(CONVERSATION_LIMIT_MS),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    // Comments and other fields are not ours.
    for (const line of lines) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6));
  }
}
