import { pick, randomFrom, repeat } from './random';

type Make = (random: () => number) => string;
type Some = readonly [string, ...string[]];

const ENGLISH: Some = [
  'the ',
  'router ',
  "doesn't ",
  'OSPF ',
  'adjacency ',
  'Please ',
  'check, ',
  'why? ',
  'I’ve ',
  "WE'LL ",
];
const CHINESE: Some = ['配置', '路由器', '接口', '的', '，', '。', '测试', ' OSPF ', '地址', '邻居'];
const CODE: Some = [
  'const x = ',
  'if (a) {\n',
  '  return ',
  "'text'",
  '};\n\n',
  'x += 12345;\n',
  '\tcall(',
  '// note\n',
  'HTTPServer',
];
const EMOJI: Some = ['👨‍👩‍👧‍👦', '🔥', '🇨🇳', '✅', ' ok ', '👍🏽', '\u200d'];
const ANSI: Some = ['\x1b[31m', '\x1b[0m', 'R1#', '\r\n', '\x1b[2J', '\x07', '\0', 'show run\r\n'];

const words =
  (items: Some): Make =>
  (random) =>
    repeat(1 + random() * 60, () => pick(random, items));

const config: Make = (random) =>
  repeat(1 + random() * 8, () => {
    const port = Math.floor(random() * 48);
    return `interface GigabitEthernet0/${port}\n ip address 10.${port}.${Math.floor(random() * 256)}.1 255.255.255.0\n no shutdown\n!\n`;
  });

const table: Make = (random) =>
  repeat(
    1 + random() * 8,
    () =>
      `Gi0/${Math.floor(random() * 24)}   10.0.0.${Math.floor(random() * 255)}     YES manual up                    up      \n`,
  );

const bytes: Make = (random) =>
  repeat(1 + random() * 120, () => String.fromCharCode(Math.floor(random() * 256)));
const units: Make = (random) =>
  repeat(1 + random() * 60, () => String.fromCharCode(Math.floor(random() * 65_536)));

const KINDS: readonly [Make, ...Make[]] = [
  words(ENGLISH),
  words(CHINESE),
  words(CODE),
  words(EMOJI),
  words(ANSI),
  config,
  table,
  bytes,
  units,
];

/** The texts an agent meets, made anew from a seed: prose, Chinese, code, device output, emoji, raw bytes. */
export function* corpus(size: number, seed: number): Generator<string> {
  const random = randomFrom(seed);
  for (let i = 0; i < size; i++) yield (KINDS[i % KINDS.length] ?? KINDS[0])(random);
}

/** Long runs without a break, which is what makes other counters slow. */
export function* hostileTexts(chars: number, seed: number): Generator<string> {
  const random = randomFrom(seed);
  for (const character of 'a^ =-A测\n🔥') yield character.repeat(chars);
  for (const alphabet of [
    'ab',
    'aab',
    'abcdefghijklmnopqrstuvwxyz',
    'TCAG',
    '=-',
    '中文测试配置',
    'éàü',
    ' \t',
  ]) {
    const characters = [...alphabet];
    yield repeat(chars, () => characters[Math.floor(random() * characters.length)] ?? '');
  }
}
