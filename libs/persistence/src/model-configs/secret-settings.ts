import { modelSettingsSchema } from '@copilot/contracts';

/** Known settings have a type of their own and are no secrets, whatever they are called. */
const KNOWN = new Set(Object.keys(modelSettingsSchema.shape));

const SECRET_NAME =
  /(key|token|secret|password|passwd|passphrase|credential|authori[sz]ation|cookie|jwt)s?$/i;
/** Prefixes of the keys that model providers hand out. */
const SECRET_VALUE =
  /^(sk|pk|rk|xai|gsk|hf|ghp|pat)[-_][\w-]{8,}|^(Bearer|Basic)\s+\S|^AIza[\w-]{20,}|^eyJ[\w-]+\./;

/** Settings with null in the place of each that looks like a secret, and those apart. */
export function splitSecrets(settings: Readonly<Record<string, unknown>>): {
  readonly plain: Record<string, unknown>;
  readonly secret: Record<string, unknown>;
} {
  const entries = Object.entries(settings);
  const isSecret = ([name, value]: [string, unknown]) => !KNOWN.has(name) && holdsSecret(name, value);
  return {
    plain: Object.fromEntries(entries.map((entry) => (isSecret(entry) ? [entry[0], null] : entry))),
    secret: Object.fromEntries(entries.filter(isSecret)),
  };
}

/** A text under a secret's name, or one that looks like a key, at any depth. Numbers are no secrets. */
function holdsSecret(name: string, value: unknown): boolean {
  if (typeof value === 'string') {
    return value !== '' && (SECRET_NAME.test(name) || SECRET_VALUE.test(value));
  }
  if (Array.isArray(value)) return value.some((item) => holdsSecret(name, item));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => holdsSecret(key, inner));
}
