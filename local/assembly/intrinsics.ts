import { defaultRegion, type Template } from './template.ts';

export const account = '000000000000';

const pseudoParameters = (region: string): Readonly<Record<string, unknown>> => ({
  'AWS::AccountId': account,
  'AWS::Region': region,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::StackName': 'local',
  'AWS::StackId': `arn:aws:cloudformation:${region}:${account}:stack/local/local`,
  'AWS::NotificationARNs': [],
  'AWS::NoValue': undefined,
});

/** The values that a reference to a resource can return. */
export interface References {
  ref(id: string): unknown;
  attribute(id: string, name: string): unknown;
}

/** Evaluates intrinsic functions. */
export class Intrinsics {
  readonly #template: Template;
  readonly #references: References;
  readonly #parameters: Readonly<Record<string, unknown>>;
  readonly region: string;

  constructor(template: Template, references: References, region = defaultRegion) {
    this.#template = template;
    this.#references = references;
    this.#parameters = pseudoParameters(region);
    this.region = region;
  }

  /** The same for a stack in this region. */
  in(region: string): Intrinsics {
    return region === this.region ? this : new Intrinsics(this.#template, this.#references, region);
  }

  /** The value with every intrinsic function evaluated and without members that are AWS::NoValue. */
  resolve(value: unknown): unknown {
    if (Array.isArray(value)) {
      return value.map((member) => this.resolve(member)).filter((member) => member !== undefined);
    }
    if (value === null || typeof value !== 'object') return value;
    const members = Object.entries(value);
    const [only] = members;
    if (members.length === 1 && only) {
      const [name, argument] = only;
      const evaluate = functions[name];
      // A policy statement's `Condition` and CloudFormation's `{Condition: name}` share a spelling.
      if (evaluate && (name !== 'Condition' || typeof argument === 'string')) return evaluate(this, argument);
      if (name.startsWith('Fn::')) throw new Error(`the intrinsic function ${name} isn't emulated`);
    }
    return Object.fromEntries(
      members
        .map(([name, member]) => [name, this.resolve(member)])
        .filter(([, member]) => member !== undefined),
    );
  }

  holds(condition: string): boolean {
    const { conditions } = this.#template;
    if (!(condition in conditions)) throw new Error(`the condition ${condition} isn't defined`);
    return Boolean(this.resolve(conditions[condition]));
  }

  ref(id: string): unknown {
    if (id in this.#parameters) return this.#parameters[id];
    const parameter = this.#template.parameters[id];
    return parameter ? parameter.Default : this.#references.ref(id);
  }

  attribute(id: string, name: string): unknown {
    return this.#references.attribute(id, name);
  }

  list(value: unknown): unknown[] {
    return asList(this.resolve(value));
  }

  mapped(map = '', first = '', second = ''): unknown {
    return this.#template.mappings[map]?.[first]?.[second];
  }

  exported(name: string): unknown {
    for (const output of Object.values(this.#template.outputs)) {
      const stack = this.in(output.region);
      if (output.Export && stack.resolve(output.Export.Name) === name) return stack.resolve(output.Value);
    }
    throw new Error(`no stack of the assembly exports ${name}`);
  }

  /** The value of an output. Its name is enough, because an assembly's stacks are one template here. */
  output(reference: unknown): unknown {
    const name = asText((reference as { OutputName?: unknown } | null)?.OutputName);
    const output = this.#template.outputs[name];
    if (!output) throw new Error(`no stack of the assembly has the output ${name}`);
    return this.in(output.region).resolve(output.Value);
  }
}

const functions: Readonly<Record<string, (intrinsics: Intrinsics, argument: unknown) => unknown>> = {
  Ref: (intrinsics, id) => intrinsics.ref(String(id)),
  'Fn::GetAtt': (intrinsics, argument) => {
    const [id = '', ...name] = Array.isArray(argument) ? argument.map(String) : String(argument).split('.');
    return intrinsics.attribute(id, name.join('.'));
  },
  'Fn::Join': (intrinsics, argument) => {
    const [separator, parts] = intrinsics.list(argument);
    return asList(parts).map(asText).join(asText(separator));
  },
  'Fn::Select': (intrinsics, argument) => {
    const [index, parts] = intrinsics.list(argument);
    return asList(parts)[Number(index)];
  },
  'Fn::Split': (intrinsics, argument) => {
    const [separator, text] = intrinsics.list(argument);
    return asText(text).split(asText(separator));
  },
  'Fn::Sub': substitute,
  'Fn::Base64': (intrinsics, argument) =>
    Buffer.from(asText(intrinsics.resolve(argument))).toString('base64'),
  'Fn::ToJsonString': (intrinsics, argument) => JSON.stringify(intrinsics.resolve(argument)),
  'Fn::GetAZs': ({ region }) => ['a', 'b', 'c'].map((zone) => region + zone),
  'Fn::ImportValue': (intrinsics, argument) => intrinsics.exported(asText(intrinsics.resolve(argument))),
  'Fn::GetStackOutput': (intrinsics, argument) => intrinsics.output(intrinsics.resolve(argument)),
  'Fn::FindInMap': (intrinsics, argument) => intrinsics.mapped(...intrinsics.list(argument).map(asText)),
  'Fn::If': (intrinsics, argument) => {
    const [condition, yes, no] = asList(argument);
    return intrinsics.resolve(intrinsics.holds(asText(condition)) ? yes : no);
  },
  'Fn::Equals': (intrinsics, argument) => {
    const [left, right] = intrinsics.list(argument);
    return asText(left) === asText(right);
  },
  'Fn::And': (intrinsics, argument) => intrinsics.list(argument).every(Boolean),
  'Fn::Or': (intrinsics, argument) => intrinsics.list(argument).some(Boolean),
  'Fn::Not': (intrinsics, argument) => !intrinsics.list(argument)[0],
  Condition: (intrinsics, name) => intrinsics.holds(String(name)),
};

function substitute(intrinsics: Intrinsics, argument: unknown): string {
  const [text, variables] = Array.isArray(argument) ? argument : [argument, {}];
  return asText(text).replaceAll(/\$\{(!?)([^}]+)\}/g, (_whole, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    if (variables !== null && typeof variables === 'object' && name in variables) {
      return asText(intrinsics.resolve((variables as Record<string, unknown>)[name]));
    }
    const dot = name.indexOf('.');
    return asText(
      dot < 0 ? intrinsics.ref(name) : intrinsics.attribute(name.slice(0, dot), name.slice(dot + 1)),
    );
  });
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
