import type { Tone } from '@lessonbook/contract/subjects';
import { ToneSquare } from '../../components/ToneSquare.tsx';
import { initials, titleParts } from '../../lib/format.ts';
import classes from './LessonIdentity.module.css';

interface Props {
  lesson: { title: string; studentName: string; subjectName: string };
  tone: Tone;
}

/** Who and what, at the head of a page about it. */
export function LessonIdentity({ lesson, tone }: Props) {
  const { head } = titleParts(lesson.title);
  return (
    <div className={classes.identity}>
      <ToneSquare letters={initials(head)} tone={tone} />
      <div className={classes.who}>
        <h2>{lesson.title}</h2>
        {/* The usual title says both already. */}
        {head !== lesson.studentName && (
          <p>
            {lesson.studentName}, {lesson.subjectName}
          </p>
        )}
      </div>
    </div>
  );
}
