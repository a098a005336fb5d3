import { moment } from '../format.ts';
import { TextField } from './field.tsx';
import { fromField } from './local-time.ts';

interface TimeFieldProps {
  readonly label: string;
  readonly path?: string | undefined;
  readonly hint?: string;
  readonly value: string;
  readonly onText: (text: string) => void;
}

/** A time in the viewer's zone, with the same time in UTC as hint. */
export const TimeField = ({ hint = '', value, ...rest }: TimeFieldProps) => {
  const iso = fromField(value);
  const isTime = iso !== undefined && !Number.isNaN(Date.parse(iso));
  return (
    <TextField
      type="datetime-local"
      hint={isTime ? `${moment(iso)}. ${hint}` : `In your time zone. ${hint}`}
      value={value}
      {...rest}
    />
  );
};
