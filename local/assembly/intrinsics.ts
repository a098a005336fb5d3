import type { Template } from './template.ts';

export const region = 'us-east-1';
export const account = '000000000000';

const pseudoParameters: Readonly<Record<string, unknown>> = {
  'AWS::AccountId': account,
  'AWS::Region': region,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::StackName': 'local',
  'AWS::StackId': `arn:aws:cloudformation:${region}:${account}:stack/local/local`,
  'AWS::NotificationARNs': [],
  'AWS::NoValue': undefined,
};

/** What a reference to a resource stands for. */
export interface References {
  ref(id: string): unknown;
  attribute(id: string, name: string): unknown;
}

export interface Intrinsics {
  /** The value with every intrinsic function worked out; members that are AWS::NoValue are left out. */
  resolve(value: unknown): unknown;
  holds(condition: string): boolean;
}

type Evaluate = (argument: unknown) => unknown;

export function createIntrinsics(template: Template, references: References): Intrinsics {
  const ref = (id: string): unknown => {
    if (id in pseudoParameters) return pseudoParameters[id];
    const parameter = template.parameters[id];
    return parameter ? parameter.Default : references.ref(id);
  };

  const functions: Readonly<Record<string, Evaluate>> = {
    Ref: (id) => ref(String(id)),
    'Fn::GetAtt': (argument) => {
      const [id = '', ...name] = Array.isArray(argument) ? argument.map(String) : String(argument).split('.');
      return references.attribute(id, name.join('.'));
    },
    'Fn::Join': (argument) => {
      const [separator, parts] = asList(resolve(argument));
      return asList(parts).map(asText).join(asText(separator));
    },
    'Fn::Select': (argument) => {
      const [index, parts] = asList(resolve(argument));
      return asList(parts)[Number(index)];
    },
    'Fn::Split': (argument) => {
      const [separator, text] = asList(resolve(argument));
      return asText(text).split(asText(separator));
    },
    'Fn::Sub': (argument) => substitute(argument),
    'Fn::Base64': (argument) => Buffer.from(asText(resolve(argument))).toString('base64'),
    'Fn::ToJsonString': (argument) => JSON.stringify(resolve(argument)),
    'Fn::GetAZs': () => ['a', 'b', 'c'].map((zone) => region + zone),
    'Fn::ImportValue': (argument) => importValue(asText(resolve(argument))),
    'Fn::FindInMap': (argument) => {
      const [map, first, second] = asList(resolve(argument)).map(asText);
      return template.mappings[map ?? '']?.[first ?? '']?.[second ?? ''];
    },
    'Fn::If': (argument) => {
      const [condition, yes, no] = asList(argument);
      return resolve(holds(asText(condition)) ? yes : no);
    },
    'Fn::Equals': (argument) => {
      const [left, right] = asList(resolve(argument));
      return asText(left) === asText(right);
    },
    'Fn::And': (argument) => asList(resolve(argument)).every(Boolean),
    'Fn::Or': (argument) => asList(resolve(argument)).some(Boolean),
    'Fn::Not': (argument) => !asList(resolve(argument))[0],
    Condition: (name) => holds(String(name)),
  };

  function substitute(argument: unknown): string {
    const [text, variables] = Array.isArray(argument) ? argument : [argument, {}];
    return asText(text).replaceAll(/\$\{(!?)([^}]+)\}/g, (_whole, literal: string, name: string) => {
      if (literal) return `\${${name}}`;
      if (variables !== null && typeof variables === 'object' && name in variables) {
        return asText(resolve((variables as Record<string, unknown>)[name]));
      }
      const dot = name.indexOf('.');
      return asText(dot < 0 ? ref(name) : references.attribute(name.slice(0, dot), name.slice(dot + 1)));
    });
  }

  function importValue(name: string): unknown {
    for (const output of Object.values(template.outputs)) {
      if (output.Export && resolve(output.Export.Name) === name) return resolve(output.Value);
    }
    throw new Error(`no stack of the assembly exports ${name}`);
  }

  function holds(condition: string): boolean {
    if (!(condition in template.conditions)) throw new Error(`the condition ${condition} isn't defined`);
    return Boolean(resolve(template.conditions[condition]));
  }

  function resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolve).filter((member) => member !== undefined);
    if (value === null || typeof value !== 'object') return value;
    const members = Object.entries(value);
    const [only] = members;
    if (members.length === 1 && only) {
      const [name, argument] = only;
      const evaluate = functions[name];
      // A policy statement's `Condition` and CloudFormation's `{Condition: name}` share a spelling.
      if (evaluate && (name !== 'Condition' || typeof argument === 'string')) return evaluate(argument);
      if (name.startsWith('Fn::')) throw new Error(`the intrinsic function ${name} isn't emulated`);
    }
    return Object.fromEntries(
      members.map(([name, member]) => [name, resolve(member)]).filter(([, member]) => member !== undefined),
    );
  }

  return { resolve, holds };
}

function asList(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error(`expected a list, found ${JSON.stringify(value)}`);
  return value;
}

function asText(value: unknown): string {
  if (value === undefined || value === null || typeof value === 'object') {
    throw new Error(`expected a text, found ${JSON.stringify(value)}`);
  }
  return String(value);
}
