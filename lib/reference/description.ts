import type { OpenApiOperation, openApi } from '../../core/api/openapi.ts';
import { isRecord } from '../../core/base/record.ts';

type Described = ReturnType<typeof openApi>;

export type PlacedOperation = OpenApiOperation & { readonly path: string; readonly method: string };

export const wholeOf = ({ components, ...description }: Described) => {
  const kinds: Readonly<Record<string, Readonly<Record<string, object>>>> = components;
  const whole = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(whole);
    if (!isRecord(value)) return value;
    const [kind = '', name = ''] = String(value.$ref ?? '')
      .split('/')
      .slice(-2);
    const parts = Object.entries({ ...kinds[kind]?.[name], ...value });
    return Object.fromEntries(parts.map(([part, inner]) => [part, whole(inner)]));
  };
  return whole(description) as Omit<Described, 'components'>;
};
