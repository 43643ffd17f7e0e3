import { toMinor } from '@lessonbook/contract/money';
import type { SessionRow } from '@lessonbook/contract/sessions';
import type { Tone } from '@lessonbook/contract/subjects';
import { Textarea } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { LessonName, LessonTime } from '../../components/LessonRow.tsx';
import { TickBox } from '../../components/TickBox.tsx';
import { ToneSquare } from '../../components/ToneSquare.tsx';
import { initials, money, titleParts } from '../../lib/format.ts';
import { AttendanceFields, attendances } from './AttendanceFields.tsx';
import classes from './CatchUp.module.css';
import type { Tick } from './catch-up.ts';

interface Props {
  session: SessionRow;
  tone: Tone;
  tick: Tick;
  onChange: (part: Partial<Tick>) => void;
}

/** Ticked and usual needs no hand at all; a tap unfolds what was different. */
export function CatchUpRow({ session, tone, tick, onChange }: Props) {
  const [unfolded, setUnfolded] = useState(false);
  const id = useId();
  return (
    <li className={classes.item} data-ticked={tick.ticked || undefined}>
      <div className={classes.row}>
        <TickBox
          checked={tick.ticked}
          aria-label={`Tick off ${session.title}`}
          onChange={(ticked) => onChange({ ticked })}
        />
        <button
          type="button"
          className={classes.unfold}
          aria-expanded={unfolded}
          aria-controls={id}
          onClick={() => setUnfolded(!unfolded)}
        >
          <LessonTime start={session.startTime} end={session.endTime} />
          <ToneSquare letters={initials(titleParts(session.title).head)} tone={tone} />
          <span className={classes.who}>
            <LessonName session={session} />
            <span className={classes.said}>{inWords(session, tick)}</span>
          </span>
          <IconChevronDown size={18} stroke={1.8} />
        </button>
      </div>
      <div id={id} className={classes.fields} hidden={!unfolded}>
        <AttendanceFields
          session={session}
          attendance={tick.attendance}
          charge={tick.charge}
          onAttendance={(attendance) => onChange({ attendance })}
          onCharge={(charge) => onChange({ charge })}
        />
        <Textarea
          label="Note"
          size="md"
          rows={2}
          value={tick.notes}
          onChange={(event) => onChange({ notes: event.currentTarget.value })}
        />
      </div>
    </li>
  );
}

/** 'Attended, £35' */
function inWords({ fee, currency }: SessionRow, tick: Tick): string {
  if (!tick.ticked) return 'Left for later';
  const came = attendances.find(({ value }) => value === tick.attendance)?.label;
  if (fee === null) return `${came}, free lesson`;
  return `${came}, ${tick.charge ? money(toMinor(fee), currency) : 'fee waived'}`;
}
