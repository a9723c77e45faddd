/**
 * Appends events of one writer to a run's log and wakes the readers, in one step. The channel has the run's hash
 * tag, so on a cluster it belongs to the node where the script runs.
 *
 * Fences (hash): a field for each writer with `<attempt>:<sequence>`, and `closed` once `done` is in.
 * - an older attempt than the writer's stored one is refused: its worker lost the claim;
 * - of the same attempt, events up to the stored sequence are already in: a resend adds nothing;
 * - a closed log takes nothing more, so there is exactly one `done` and it is last.
 *
 * KEYS: stream, fences. ARGV: channel, writer, attempt, sequence of the first event, ttl in seconds,
 * 1 if the last event closes the log, then the events as JSON.
 */
export const APPEND_SCRIPT = `
local stored = redis.call('HMGET', KEYS[2], 'closed', ARGV[2])
if stored[1] then return {'closed'} end
local attempt, first, sequence = tonumber(ARGV[3]), tonumber(ARGV[4]), 0
if stored[2] then
  local colon = string.find(stored[2], ':', 1, true)
  local storedAttempt = tonumber(string.sub(stored[2], 1, colon - 1))
  if attempt < storedAttempt then return {'fenced'} end
  if attempt == storedAttempt then sequence = tonumber(string.sub(stored[2], colon + 1)) end
end
local reply = {'ok'}
for i = 7, #ARGV do
  local own = first + i - 7
  if own > sequence then
    reply[#reply + 1] = redis.call('XADD', KEYS[1], '*', 'e', ARGV[i])
    sequence = own
  end
end
redis.call('HSET', KEYS[2], ARGV[2], attempt .. ':' .. sequence)
if ARGV[6] == '1' then redis.call('HSET', KEYS[2], 'closed', '1') end
redis.call('EXPIRE', KEYS[1], ARGV[5])
redis.call('EXPIRE', KEYS[2], ARGV[5])
if #reply > 1 then redis.call('SPUBLISH', ARGV[1], reply[#reply]) end
return reply
`;
