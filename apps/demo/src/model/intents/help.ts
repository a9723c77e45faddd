import { answer, intent } from '../intent';
import type { Turn } from '../turn';

export const help = intent<true>({
  name: 'help',
  title: { en: 'What the demo model can do', zh: '演示模型的能力' },
  recognise: (turn) =>
    /\bhelp\b|what can you|who are you|^(hi|hello|hey)\b|帮助|你能|你会|你是谁|你好/i.test(turn.text) ||
    undefined,
  plan: (_asked, turn) => answer(list(turn)),
});

/** Takes what no other intent took. */
export const anythingElse = intent<true>({
  name: 'anything-else',
  title: { en: 'Lab question', zh: '实验问题' },
  recognise: () => true,
  plan: (_wanted, turn) => {
    const apology = turn.say(
      'I have no rule for that. A real model would; I only know these:',
      '我没有处理这句话的规则。真正的模型可以，而我只会这些：',
    );
    return answer(`${apology}\n\n${list(turn)}`);
  },
});

function list(turn: Turn): string {
  return turn.say(
    [
      'Things to ask me:',
      '- "Show the topology"',
      '- "Check the interface status of all devices"',
      '- "Configure 10.0.12.1/30 on R1, then ping 10.0.12.2"',
      '- "Give PC2 192.168.2.10/24 gateway 192.168.2.1"',
      '- "Configure OSPF on all routers"',
      '- "Ping PC2 from PC1"',
      '- "Static route on R1 to 192.168.2.0/24 via 10.0.12.2"',
      '- "Compare R1 and R2"',
      '- "Show the routing table of R1", "OSPF neighbours", "version of R2", "run show clock on R1"',
      '- "Shut down g0/1 on R2"',
      '- "Save the configuration"',
      '- "Explain the last error"',
      '- "Inject 1 network fault for troubleshooting practice"',
    ].join('\n'),
    [
      '可以这样问我：',
      '- “显示拓扑”',
      '- “检查所有设备的接口状态”',
      '- “在 R1 上配置 10.0.12.1/30，然后 ping 10.0.12.2”',
      '- “给 PC2 配置 192.168.2.10/24 网关 192.168.2.1”',
      '- “配置所有路由器的 OSPF”',
      '- “从 PC1 ping PC2”',
      '- “在 R1 上配置静态路由 192.168.2.0/24 下一跳 10.0.12.2”',
      '- “比较 R1 和 R2”',
      '- “查看 R1 的路由表”、“OSPF 邻居”、“R2 的版本”、“在 R1 上执行 show clock”',
      '- “关闭 R2 的 g0/1”',
      '- “保存配置”',
      '- “解释上一个错误”',
      '- “注入 1 个故障用于排错练习”',
    ].join('\n'),
  );
}
