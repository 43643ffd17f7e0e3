import { weekday } from '@lessonbook/contract/dates';
import { SCOPES, type Scope } from '@lessonbook/contract/lessons';
import { Switch } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { SheetButtons } from '../../components/ConfirmSheet.tsx';
import { useLast } from '../../lib/last.ts';
import { useNamedAttempts } from '../../lib/named-attempts.ts';
import { changePreviewQuery, useUpdateLesson } from './api.ts';
import { askToTellMoved } from './ask-to-tell.ts';
import { ConsequenceBox } from './ConsequenceBox.tsx';
import { affected, moveInWords, type Verb, withCount } from './consequence-words.ts';
import {
  isMove,
  type LessonEdit,
  type LessonForm,
  type SavedLesson,
  toInput,
} from './lesson-form.ts';
import { ScopeRows } from './ScopeRows.tsx';
import classes from './ScopeSheet.module.css';

interface Props {
  edit: LessonEdit;
  /** What the dialog holds; none while the sheet is closed. */
  values: LessonForm | null;
  onClose: () => void;
  onSaved: (saved: SavedLesson) => void;
}

/** Only this, this and following, or all: with what each would do, before it happens. */
export function ScopeSheet({ edit, values, onClose, onSaved }: Props) {
  const shown = useLast(values);
  return (
    <BottomSheet title="Which lessons change?" opened={values !== null} onClose={onClose}>
      {shown && <ScopeChoice edit={edit} values={shown} onClose={onClose} onSaved={onSaved} />}
    </BottomSheet>
  );
}

function ScopeChoice({ edit, values, onClose, onSaved }: Props & { values: LessonForm }) {
  const { lesson, session } = edit;
  const onlyThis = whyNotThis(edit, values);
  const [scope, setScope] = useState<Scope>(firstScope(edit, values, onlyThis));
  const [includeEdited, setIncludeEdited] = useState(false);
  const update = useUpdateLesson();
  const attempts = useNamedAttempts();

  const { earlier: _, ...fields } = toInput(values);
  const change = { ...fields, sessionId: session.id, includeEdited };
  const params = { id: lesson.id };
  const previews = useQueries({
    queries: SCOPES.map((each) => ({
      ...changePreviewQuery({ params, body: { ...change, scope: each } }),
      // Once it is done there is nothing to foresee any more.
      enabled: (update.isIdle || update.isError) && (each !== 'this' || !onlyThis),
    })),
  });
  const preview = previews[SCOPES.indexOf(scope)];
  const verb: Verb = isMove(session, values) ? 'move' : 'change';
  const number = preview?.data ? affected(preview.data) : undefined;
  const hasEdited = preview?.data?.stays.some(({ reason }) => reason === 'edited');

  async function save() {
    // What stands in the way is in view, so pressing the button says yes to it.
    const acceptOverlaps = (preview?.data?.overlaps.length ?? 0) > 0;
    const input = { params, body: { ...change, scope, acceptOverlaps } };
    try {
      const { lessonId, sessionId } = await update.mutateAsync({
        ...input,
        attempt: attempts.nameOf(input),
      });
      if (scope === 'this' && verb === 'move') askToTellMoved(session);
      onSaved({ lessonId, sessionId, date: values.date });
    } catch {
      // A toast has said why. Meanwhile the lessons may have changed: they are counted anew, and clashes shown.
    }
  }

  return (
    <>
      {verb === 'move' && <p className={classes.move}>{moveInWords(session, values)}</p>}
      <ScopeRows
        chosen={scope}
        onChoose={setScope}
        counts={previews.map(({ data }) => data && affected(data))}
        {...(onlyThis && { onlyThis })}
      />
      {(hasEdited || includeEdited) && scope !== 'this' && (
        <Switch
          className={classes.switch}
          label="Also change lessons edited by themselves"
          checked={includeEdited}
          onChange={(event) => setIncludeEdited(event.currentTarget.checked)}
        />
      )}
      <ConsequenceBox verb={verb} preview={preview} />
      <SheetButtons
        onCancel={onClose}
        confirm={withCount(verb, number)}
        busy="Saving..."
        isBusy={update.isPending}
        disabled={!number}
        onConfirm={() => void save()}
      />
    </>
  );
}

/** A reason why the change cannot be for one lesson alone. */
function whyNotThis({ lesson, session }: LessonEdit, to: LessonForm): string | undefined {
  const repeats =
    lesson.isRecurring === to.isRecurring &&
    lesson.recurringPattern === to.recurringPattern &&
    (lesson.recurringEndDate ?? '') === to.recurringEndDate;
  if (!repeats) return 'A repeat is for more than one lesson';
  return session.status === 'scheduled' ? undefined : 'This lesson has been dealt with';
}

/** Another weekday is a new arrangement, and so is what is changed from the lesson's own page. Never all by itself. */
function firstScope({ session, from }: LessonEdit, to: LessonForm, onlyThis?: string): Scope {
  const newDay = weekday(session.date) !== weekday(to.date);
  return onlyThis || newDay || from === 'lesson' ? 'following' : 'this';
}
