import { errorChain, RunError } from '@copilot/contracts';
import { z } from 'zod';

const providerError = z.looseObject({
  status: z.number(),
  message: z.string().default(''),
  error: z.unknown().optional(),
});

const REMEDIES: Readonly<Record<number, string>> = {
  401: 'Check the API key of the model configuration.',
  403: 'The API key may not use this model.',
  404: 'Check base_url and model of the model configuration.',
  429: 'The provider limits requests or the quota is used up; try again later.',
};

/**
 * Translates what a model call threw into the failure that the user reads: which model, what is wrong, what
 * to do. The form `Error code: 401 - {...}` is the one that the web UI's own patterns read.
 */
export function toModelFailure(error: unknown, label: string): RunError {
  for (const link of errorChain(error)) {
    if (link.error instanceof RunError) return link.error;
  }
  const refusal = refusalOf(error);
  if (refusal) {
    const { status, message } = refusal;
    const said = providerMessage(refusal.error) ?? firstLine(message);
    const remedy = REMEDIES[status] ?? (status >= 500 ? 'The provider has a fault; try again later.' : '');
    return new RunError(
      'model_refused',
      `Error code: ${status} - {'error': {'message': '${said.replaceAll("'", '"')}'}}. The model ${label} refused the request. ${remedy}`.trim(),
      { cause: error },
    );
  }
  return new RunError(
    'model_unreachable',
    `The model ${label} cannot be reached (${reasonOf(error)}). Check base_url of the model configuration and that the model server is running.`,
    { cause: error },
  );
}

/** After the first piece has been shown, a second try would repeat text, so the answer ends here. */
export function toInterruption(error: unknown, label: string): RunError {
  if (error instanceof RunError && error.code === 'model_interrupted') return error;
  const failure = toModelFailure(error, label);
  return new RunError(
    'model_interrupted',
    `The answer of the model ${label} broke off (${failure.code === 'model_refused' ? failure.message : reasonOf(error)}). The text so far is incomplete; send the message again to have it done anew.`,
    { cause: error },
  );
}

const OVERFLOW =
  /context.?length|maximum context|context window|prompt is too long|too many tokens|input is too long/i;

/** The provider says that the request does not fit its window, whatever we have counted. */
export function isContextOverflow(error: unknown): boolean {
  const refusal = refusalOf(error);
  return refusal !== undefined && [400, 413, 422].includes(refusal.status) && OVERFLOW.test(refusal.message);
}

/** What the provider answered. The client library wraps some refusals, that of a long request among them. */
function refusalOf(error: unknown): z.infer<typeof providerError> | undefined {
  for (const link of errorChain(error)) {
    const parsed = providerError.safeParse(link.error);
    if (parsed.success) return parsed.data;
  }
  return undefined;
}

function providerMessage(body: unknown): string | undefined {
  const parsed = z.looseObject({ message: z.string() }).safeParse(body);
  return parsed.success ? firstLine(parsed.data.message) : undefined;
}

function reasonOf(error: unknown): string {
  let reason = 'no answer';
  for (const { code, message } of errorChain(error)) reason = code ?? (firstLine(message) || reason);
  return reason;
}

/** Bounded, since a proxy may answer with a whole page. */
function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 300);
}
