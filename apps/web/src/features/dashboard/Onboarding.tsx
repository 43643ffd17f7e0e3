import type { OnboardingProgress as Steps } from '@lessonbook/contract/dashboard';
import { Button } from '@mantine/core';
import { IconChevronRight, IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Card } from '../../components/Card.tsx';
import { onboardingQuery } from '../business/api.ts';
import classes from './Onboarding.module.css';

interface Step {
  key: keyof Steps;
  label: string;
  hint?: string;
  link: Pick<LinkProps, 'to' | 'search'>;
}

const steps: Step[] = [
  {
    key: 'student',
    label: 'Add your first student',
    link: { to: '/schedule', search: { view: 'students' } },
  },
  { key: 'lesson', label: 'Schedule your first lesson', link: { to: '/schedule' } },
  {
    key: 'payment',
    label: 'Set up payments',
    hint: 'Bank details or another way to pay',
    link: { to: '/settings/business' },
  },
  {
    key: 'reminders',
    label: 'Choose your reminders',
    hint: "Optional. You'll see the first messages before they're sent.",
    link: { to: '/settings/reminders' },
  },
];

/**
 * The first steps for a new tutor, marked as done based on the tutor's data. Hidden once the required steps are done, or
 * when the tutor hides them.
 */
export function Onboarding({ onFinish }: { onFinish: () => void }) {
  const { data: progress } = useQuery(onboardingQuery);
  const isFinished = progress?.student && progress.lesson && progress.payment;
  useEffect(() => {
    if (isFinished) onFinish();
  }, [isFinished, onFinish]);

  // If the progress cannot be loaded, the card is not shown.
  if (!progress || isFinished) return null;
  const doneCount = steps.filter(({ key }) => progress[key]).length;
  const nextStep = steps.find(({ key }) => !progress[key]);
  return (
    <Card
      heading="First steps"
      aside={
        <span className={classes.count}>
          {doneCount} of {steps.length} done
        </span>
      }
    >
      <ul className={classes.list}>
        {steps.map((step) => (
          <li key={step.key}>
            {progress[step.key] ? (
              <p className={classes.step} data-done>
                <IconCircleCheck size={22} stroke={1.8} aria-hidden="true" />
                <span>{step.label}</span>
                <b>Done</b>
              </p>
            ) : (
              <Link {...step.link} className={classes.step}>
                <IconCircle size={22} stroke={1.8} aria-hidden="true" />
                <span>
                  {step.label}
                  {step.hint && <small>{step.hint}</small>}
                </span>
                {step === nextStep ? (
                  <span className={classes.start}>Start</span>
                ) : (
                  <IconChevronRight size={18} stroke={1.8} aria-hidden="true" />
                )}
              </Link>
            )}
          </li>
        ))}
      </ul>
      <div className={classes.footer}>
        <p className={classes.note}>You can do these in any order, or hide them.</p>
        <Button variant="subtle" size="compact-sm" onClick={onFinish}>
          Hide these steps
        </Button>
      </div>
    </Card>
  );
}
