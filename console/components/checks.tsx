import type { ComponentChildren } from 'preact';

interface CheckProps {
  readonly checked: boolean;
  readonly onCheck: (checked: boolean) => void;
  readonly children: ComponentChildren;
}

export const Check = ({ checked, onCheck, children }: CheckProps) => (
  <label class="check">
    <input
      type="checkbox"
      checked={checked}
      onChange={({ currentTarget }) => onCheck(currentTarget.checked)}
    />
    <span>{children}</span>
  </label>
);

interface ChecksProps<Value extends string> {
  readonly values: readonly Value[];
  readonly chosen: readonly string[];
  readonly onChosen: (chosen: readonly Value[]) => void;
  readonly children: (value: Value) => ComponentChildren;
}

/** A check box for each value. The chosen ones are in the order of the values. */
export const Checks = <Value extends string>({ values, chosen, onChosen, children }: ChecksProps<Value>) => (
  <>
    {values.map((value) => (
      <Check
        key={value}
        checked={chosen.includes(value)}
        onCheck={(checked) =>
          onChosen(values.filter((one) => (one === value ? checked : chosen.includes(one))))
        }
      >
        {children(value)}
      </Check>
    ))}
  </>
);
