import { dashboard, type OnboardingProgress as Steps } from '@lessonbook/contract/dashboard';
import { Button } from '@mantine/core';
import { IconChevronRight, IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Card } from '../../components/Card.tsx';
import { call } from '../../lib/http.ts';
import classes from './Onboarding.module.css';

const onboardingQuery = queryOptions({
  queryKey: ['/api/dashboard', 'onboarding'],
  queryFn: () => call(dashboard.onboardingProgress),
});

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
  { key: 'lesson', label: 'Put a lesson in the book', link: { to: '/schedule' } },
  {
    key: 'payment',
    label: 'Say how families pay you',
    hint: 'Your bank details, or cards',
    link: { to: '/settings/business' },
  },
  {
    key: 'reminders',
    label: 'Start reminders',
    hint: 'If you like; you see them first',
    link: { to: '/settings/reminders' },
  },
];

/**
 * The first steps for a new tutor, marked as done based on the data. Hidden once the required ones are done, or a lesson has
 * been taught.
 */
export function Onboarding({ onDismiss }: { onDismiss: () => void }) {
  const { data: progress } = useQuery(onboardingQuery);
  const isFinished =
    progress?.lessonTaught || (progress?.student && progress.lesson && progress.payment);
  useEffect(() => {
    if (isFinished) onDismiss();
  }, [isFinished, onDismiss]);

  // If the progress cannot be loaded, the card is not shown.
  if (!progress || isFinished) return null;
  return (
    <Card
      heading="First steps"
      aside={
        <Button variant="subtle" size="sm" className={classes.hide} onClick={onDismiss}>
          Hide this
        </Button>
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
                <IconChevronRight size={18} stroke={1.8} aria-hidden="true" />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
