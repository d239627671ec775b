import type { Command } from 'commander';
import { apiCommand } from '../src/commands/api.ts';
import { approveCommand } from '../src/commands/approve.ts';
import { changesCommand } from '../src/commands/changes.ts';
import { completionCommand } from '../src/commands/completion.ts';
import { explainCommand } from '../src/commands/explain.ts';
import { gatewayCommand } from '../src/commands/gateway.ts';
import { planCommand } from '../src/commands/plan.ts';
import { serverCommand } from '../src/commands/server.ts';
import { simCommand } from '../src/commands/sim.ts';
import { siteCommand } from '../src/commands/site.ts';
import { statusCommand } from '../src/commands/status.ts';
import { supportBundleCommand } from '../src/commands/support-bundle.ts';
import { commandText, humanReadableArgName } from './flags-doc.ts';

const introduction = `# kubectl edgeline

What a person asks of a cluster: \`edgeline status\`, \`explain\`, \`changes\`, \`support-bundle\`, \`plan\` and \`approve\`. They use the kubeconfig, the context and
the namespace that kubectl would, and all but \`plan\` and \`approve\` need no more than to read the resources and Events (the ClusterRole \`edgeline-view\`, which \`view\` includes),
write nothing, and read no Secret. Anyone who may also list Leases in the operator's namespace is told within a minute that the
operator is gone; others after fifteen. \`plan\` also asks the service: [plan.md](../plan.md) says what it needs for that. \`approve\` writes an
annotation: [approval.md](../approval.md) says who may.

[Installed](../install-cli.md), \`kubectl edgeline status\` is the same as \`edgeline status\`. Flags follow the command:
kubectl refuses \`kubectl -n fleet edgeline status\`. Unlike kubectl, these commands do not use \`HTTPS_PROXY\` for the cluster;
\`proxy-url\` in the kubeconfig works for both. For the service, \`plan\` and [those that ask it](#commands-that-ask-the-service) do use it.

What is printed as a table is for people and may change. Anything a writer put into a name or a message is shown without effect on the
terminal: control and format characters appear as \`\\u{1b}\`. There are colours on a terminal only, and none if \`NO_COLOR\` is set.
Where a terminal is too narrow, \`…\` stands for what is cut off, also for whole columns; in a file or a pipe there is all of it.

\`KIND\` is a name that kubectl knows, such as \`sim\`, \`mgw\`, \`wsite\`, \`scert\`, or one of \`gateway\`, \`site\`, \`certificate\`, \`account\`
(of both kinds; with a name, the CloudAccount goes first).
`;

const SHARED_FLAGS = new Set(['--namespace', '--context', '--kubeconfig', '--account', '--output']);

const askingText = `## Commands that ask the service

\`edgeline sim\`, \`gateway\`, \`site\`, \`server\` and \`api\` call the service itself, through the account of the resource that is named, or with an ID
through \`--account\`. They read its Secrets with the permissions of whoever runs them, send three requests a second at most, and ask
the operator for each request of web acceleration's hour before they send it, so that the hour is never exceeded. All of them take
\`-n\`, \`--context\`, \`--kubeconfig\`, \`--account\` and \`-o\`. Exit codes: 0 if it was done, 1 if not.

What the operator would undo is refused, with what to change instead; \`--force\` does it all the same.
`;

const apiText = `\`api\` prints the answer as the service gave it, without the members around it that other commands have. Of both what is sent
and what is answered, values that are secrets by their name (pass codes, keys, tokens, passwords, webhooks) or look like one are
shown as \`(removed)\`. The flag is \`--write\` and not a question at the terminal, because scripts have none, and because it stands in
the history of the shell; without it, the same line shows what it would send, and fails.
`;

const states = `## States

| state | means | counts as ready |
|---|---|---|
| \`Ready\` | It works, as the spec is now. | yes |
| \`NotSynced\` | It works, and the service differs from the spec; the message says in what. | yes |
| \`Changing\` | It works as the spec was before, and the change to it waits. | no |
| \`NotReady\` | It does not work; reason and message are those of the condition that holds it. | no |
| \`Outdated\` | Its status is of an older generation: nothing is known of the spec as it is. | no |
| \`NotSeen\` | The operator has not said anything about it. | no |
| \`Deleting\` | It is being deleted. | no |

At the top, \`status\` says if nobody looks after a namespace (no Lease \`edgeline-holder\` in it; one that is being deleted has lost it first, so
nothing is said of that if its Namespace can be read), or if who does has not renewed its Lease:
for a minute, if its leader election can be read, else for as long as the Lease of the namespace lasts. Times are compared with the
clock of this machine.
`;

/** The members of what is printed as JSON, by the name of the thing; a test compares them with what is printed. */
const shapes: readonly (readonly [title: string, members: readonly (readonly [name: string, meaning: string])[]])[] = [
  [
    'Status',
    [
      ['apiVersion', '`cli.edgeline.dev/v1`. Members are added to it; none changes its meaning or goes.'],
      ['kind', '`Status`'],
      ['ready', 'Whether all is ready, and no namespace is without an operator: the exit code is 0.'],
      [
        'operator',
        '`state` (`Running`, `NotRunning`, `Unknown`), `messages`, what is to be said about it, and `unattended`, the namespaces that no operator looks after.',
      ],
      ['summary', 'Of each kind that was asked for: `kind`, `ready`, `total`, and `warnings`: how many have one.'],
      ['notShown', 'Kinds that could not be read: `kind`, `why`.'],
      ['objects', 'What is not Ready; with `--all`, all. Each is an object as below.'],
    ],
  ],
  [
    'An object',
    [
      ['kind', 'As in its manifest.'],
      ['namespace', '`null` for what is in none.'],
      ['name', ''],
      ['ready', 'Whether it counts as ready.'],
      ['state', 'See above.'],
      [
        'reason',
        'Of the condition that holds it, or that says it is Ready: [conditions.md](conditions.md). Empty if there is none.',
      ],
      ['message', 'Of the same condition, whole.'],
      ['warning', 'What its Ready warns of although it is carried out, such as a misspelled annotation, or `null`.'],
      ['since', 'When it became so, RFC 3339; `null` where nothing tells.'],
      [
        'waitingFor',
        '`null` if it waits for nothing, else `who` (`operator`: it goes on by itself; `person`), and if known `others` (how many are before it) and `until` (RFC 3339).',
      ],
      ['advice', 'What to do, as in [conditions.md](conditions.md), or `null`.'],
      ['generation', 'Of its spec.'],
      ['observedGeneration', 'The generation that its status is of.'],
    ],
  ],
  [
    'Plan',
    [
      ['apiVersion', '`cli.edgeline.dev/v1`'],
      ['kind', '`Plan`'],
      ['complete', 'Whether all that bears on the resources of the manifests could be looked at.'],
      ['resources', '`named` in the manifests; of these, `changed` in the cluster; `pruned`.'],
      ['seconds', 'When the last call would be sent after everything is applied, at the limits of the accounts.'],
      ['calls', 'In the order in which they would be sent; each as below.'],
      [
        'notInSync',
        'Resources that would not be in sync afterwards: `kind`, `namespace`, `name`, `reason`, `message`.',
      ],
      [
        'unapproved',
        'Resources whose calls are sent only when a person has approved them (docs/approval.md), such as `Sim fleet/truck-17`.',
      ],
      [
        'paused',
        'What `edgeline.dev/paused` is set on and holds calls, such as `CloudAccount fleet/default`: they are sent only when it is taken off.',
      ],
      ['refused', 'Manifests that the apiserver would refuse: `source`, `what`, `message`.'],
      ['undecided', 'What chance decides, a sentence each; what is planned of it is one way in which it may come.'],
      ['notLookedAt', 'What the plan does not cover, a sentence each.'],
    ],
  ],
  [
    'A call',
    [
      ['kind', 'Of the resource that it is for.'],
      ['namespace', ''],
      ['name', ''],
      ['account', 'The account, as in `CloudAccount fleet/default`.'],
      ['method', ''],
      ['path', 'With IDs; `(new Sim fleet/truck-17)` stands for the ID of what is not there yet.'],
      [
        'fields',
        'What it changes: `field`, `before`, `after`, as people read them; `null` for what is not there. Secrets never.',
      ],
      [
        'afterSeconds',
        'When it would be sent, after everything is applied, and approved as soon as it waits for that.',
      ],
      ['certain', '`false` if it is sent only where a Secret that could not be read has something else than before.'],
    ],
  ],
  [
    'StatusChange',
    [
      ['apiVersion', '`cli.edgeline.dev/v1`'],
      ['kind', '`StatusChange`: with `--watch -o json`, a Status comes first, then one of these on each line.'],
      ['type', '`Changed`, `Gone`, or `Operator`.'],
      ['at', 'When it was seen, RFC 3339.'],
      ['before', 'The state it had, or `null` if it is new. Not of `Operator`.'],
      ['object', 'The object as it is now, or was. Not of `Operator`.'],
      ['operator', 'Of `Operator`: as in Status.'],
    ],
  ],
  [
    'ServiceAnswer',
    [
      ['apiVersion', '`cli.edgeline.dev/v1`'],
      ['kind', '`ServiceAnswer`'],
      ['account', 'Through which it was asked, as `CloudAccount/default`.'],
      ['of', 'What was asked about.'],
      ['items', 'What the service answered, or `done`, each with the members that the table shows.'],
    ],
  ],
  [
    'Explanation',
    [
      ['apiVersion', '`cli.edgeline.dev/v1`'],
      ['kind', '`Explanation`'],
      ['operator', 'As in Status.'],
      ['object', 'As above.'],
      ['facts', 'What it is at the service, by name: its ID, who owns it, its account.'],
      ['conditions', '`type`, `status`, `reason`, `message`, `since`, `observedGeneration`.'],
      [
        'fields',
        'What the spec asks, and what was written last: `field`, `spec`, `applied`, `difference` (`same`, `changed`, `new`, `removed`, `kept`: as it was found, and it stays; `held`: the limit of its data keeps a SIM from being active; `unchangeable`: it differs, and the service has no way to change it; `observed`: it differs, and nothing is written; `unknown`), `note`.',
      ],
      ['drift', '`field`, `desired`, `observed`, as the status has it.'],
      [
        'approval',
        '`null` where nothing was ever to be approved, as far as known; otherwise `waits` (`hash`, `calls` with `step` and `fields`, `continues`, `since`: of the Events, `outdated`: the spec has changed since), `annotation` (`value`, `manager`, `at`: the program that set it, and when), `underWay` (`hash`, `callsLeft`), `last` (`hash`, `at`: of the Events). Each may be `null`.',
      ],
      [
        'events',
        'The last ten, oldest first: `at`, `type`, `reason`, `message`, `count`; `null` if they may not be read.',
      ],
      ['eventsNote', 'Why not, or `null`.'],
      ['next', 'What to do, the first thing first.'],
    ],
  ],
  [
    'Changes',
    [
      ['apiVersion', '`cli.edgeline.dev/v1`'],
      ['kind', '`Changes`'],
      ['since', 'How far back, as it was asked for.'],
      ['note', 'Where the rest is.'],
      ['changes', 'What was written, newest last. Each is a change as below.'],
    ],
  ],
  [
    'A change',
    [
      ['at', 'When it happened last, RFC 3339.'],
      ['kind', 'Of the resource.'],
      ['namespace', ''],
      ['name', ''],
      ['reason', 'Of the Event: `Created`, `Updated`, `DriftCorrected`, `Deleted`.'],
      ['message', 'Of the Event.'],
      ['count', 'How often the same happened, within ten minutes each.'],
      ['steps', 'What was done, by the operator’s own names, in order.'],
      ['fields', '`field`, `before`, `after`, as in [changes.md](changes.md); values end after 100 characters.'],
      ['more', 'How many more fields there are.'],
      ['cause', 'Why: [changes.md](changes.md#causes); `null` if an older version of the operator told it.'],
      ['generation', 'Of the spec that it was decided on, or `null`.'],
      ['id', 'Of what belongs to the resource at the service, or `null`.'],
      ['approval', 'The hash of the plan that a person approved, or `null` if nobody had to.'],
    ],
  ],
];

/** docs/reference/cli.md, from the commands themselves. */
export function cliDocument(): string {
  const commands = [
    planCommand(),
    statusCommand(),
    explainCommand(),
    approveCommand(),
    changesCommand(),
    supportBundleCommand(),
    completionCommand(),
  ];
  return [
    '<!-- Generated by `npm run generate` from src/commands. Do not edit. -->',
    introduction,
    ...commands.map((command) => `${commandText(command)}\n${helpAfter(command)}`),
    askingText,
    ...[simCommand(), gatewayCommand(), siteCommand(), serverCommand()].map(groupText),
    `${commandText(apiCommand())}\n${helpAfter(apiCommand())}`,
    apiText,
    states,
    '## What is printed as JSON and YAML\n',
    ...shapes.map(
      ([title, members]) =>
        `### ${title}\n\n| member | means |\n|---|---|\n${members.map(([name, meaning]) => `| \`${name}\` | ${meaning} |`).join('\n')}\n`,
    ),
  ].join('\n');
}

/** The chapter of a command that has commands of its own: a row each, with the flags that are not every one's. */
function groupText(command: Command): string {
  const rows = command.commands.map((one) => {
    const words = one.registeredArguments.map(humanReadableArgName);
    const flags = one.options.filter(({ long }) => !SHARED_FLAGS.has(long ?? ''));
    const told = flags.map(({ flags: written, description }) => `\`${written}\`: ${description}`).join('<br>');
    return `| \`edgeline ${[command.name(), one.name(), ...words].join(' ')}\` | ${one.description()} | ${told} |`;
  });
  const head = `## edgeline ${command.name()}\n\n| command | does | flags of its own |\n|---|---|---|`;
  return `${head}\n${rows.join('\n')}\n\n${helpAfter(command)}`;
}

/** What help says after the flags: examples and exit codes. */
function helpAfter(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return `\`\`\`text\n${help.slice(help.indexOf('Examples:')).trim()}\n\`\`\`\n`;
}
