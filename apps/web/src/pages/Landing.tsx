import { HeroIllustration } from '../components/HeroIllustration.tsx';
import { Illustration } from '../components/Illustration.tsx';
import { Logo } from '../components/Logo.tsx';
import { usePageTitle } from '../lib/page-title.ts';
import classes from './Landing.module.css';
import {
  examples,
  familyPage,
  features,
  privacyPoints,
  questions,
  steps,
} from './landing-texts.ts';

/** Must not import the component library: this is the first page a visitor loads, and it is prerendered. */
export function LandingPage() {
  usePageTitle('Lessonbook: lessons, students and payments for independent tutors');
  return (
    <div className={classes.page}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        <Hero />
        <ProductPicture />
        <Features />
        <Steps />
        <Families />
        <Examples />
        <Privacy />
        <Price />
        <Questions />
        <CallToAction />
      </main>
      <Footer />
    </div>
  );
}

function Header() {
  return (
    <header className={classes.header}>
      <a href="/" className={classes.brand} aria-label="Lessonbook home">
        <Logo size={32} />
      </a>
      <nav className={classes.sectionLinks} aria-label="Sections">
        <SectionLinks />
      </nav>
      <nav className={classes.accountLinks} aria-label="Account">
        <a href="/login" className={classes.textButton}>
          Log in
        </a>
        <a href="/signup" className={classes.softButton}>
          Sign up
        </a>
      </nav>
    </header>
  );
}

const SectionLinks = () => (
  <>
    <a href="#features">Features</a>
    <a href="#how-it-works">How it works</a>
    <a href="#families">For families</a>
    <a href="#privacy">Privacy</a>
    <a href="#questions">Questions</a>
  </>
);

function Hero() {
  return (
    <section className={classes.hero} aria-labelledby="hero">
      <div>
        <h1 id="hero">
          Every lesson booked, taught and <span className={classes.marked}>paid for.</span>
        </h1>
        <p className={classes.lead}>
          Schedule, reminders, invoices and payments in one place, made for independent tutors in
          Britain. Spend Sunday evening on something else.
        </p>
        <div className={classes.start}>
          <a href="/signup" className={classes.primaryButton}>
            Start your free trial
          </a>
          <TickedList texts={['14-day free trial', 'No credit card']} />
        </div>
      </div>
      <div className={classes.heroPicture}>
        <HeroIllustration />
      </div>
    </section>
  );
}

/** Screenshots of Home, made by `npm run shots`. */
function ProductPicture() {
  return (
    <figure className={classes.product}>
      <div className={classes.screen}>
        <ThemedPicture name="home-desktop" width={1280} height={800} alt="Home on a computer" />
        <ThemedPicture name="home-phone" width={390} height={640} alt="Home on a phone" />
      </div>
      <figcaption>
        Your day on one page: who's next, what's left to do and who still owes. Sample data.
      </figcaption>
    </figure>
  );
}

/** A picture for each theme. The hidden one is not loaded, because it is lazy. */
const ThemedPicture = (props: { name: string; width: number; height: number; alt: string }) =>
  (['light', 'dark'] as const).map((theme) => (
    <img
      key={theme}
      src={`/pictures/${props.name}-${theme}.webp`}
      className={classes[theme]}
      data-picture={props.name}
      width={props.width}
      height={props.height}
      alt={props.alt}
      loading="lazy"
      decoding="async"
    />
  ));

function Features() {
  return (
    <section id="features" className={classes.section} aria-labelledby="features-heading">
      <h2 id="features-heading">Everything you need to run your lessons</h2>
      <p className={classes.lead}>Six jobs you do every week, in one place.</p>
      <ul className={classes.features}>
        {features.map(({ illustration, title, text }) => (
          <li key={title} className={classes.card}>
            <Illustration name={illustration} />
            <div>
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Steps() {
  return (
    <section id="how-it-works" className={classes.section} aria-labelledby="steps-heading">
      <h2 id="steps-heading">Set up in an evening</h2>
      <ol className={classes.steps}>
        {steps.map(({ title, text }, index) => (
          <li key={title}>
            <b aria-hidden="true">{index + 1}</b>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Families() {
  return (
    <section id="families" className={classes.families} aria-labelledby="families-heading">
      <div>
        <h2 id="families-heading">Families always know where they stand</h2>
        <p>{familyPage.text}</p>
        <TickedList texts={familyPage.points} />
      </div>
      <div className={classes.phone}>
        <ThemedPicture name="family-page-phone" width={390} height={700} alt="A family's page" />
      </div>
    </section>
  );
}

function Examples() {
  return (
    <section className={classes.section} aria-labelledby="examples-heading">
      <h2 id="examples-heading">How tutors might use it</h2>
      <p className={classes.lead}>These are examples, not real customers.</p>
      <div className={classes.examples}>
        {examples.map(({ initials, tutor, text }) => (
          <figure key={tutor} className={classes.card}>
            <blockquote>{text}</blockquote>
            <figcaption>
              <span className={classes.initials} aria-hidden="true">
                {initials}
              </span>
              <b>{tutor}</b>
              <small>Example</small>
            </figcaption>
          </figure>
        ))}
      </div>
    </section>
  );
}

function Privacy() {
  return (
    <section id="privacy" className={classes.twoColumns} aria-labelledby="privacy-heading">
      <div>
        <h2 id="privacy-heading">We look after families' information</h2>
        <p className={classes.lead}>Security and privacy in plain words.</p>
      </div>
      <dl>
        {privacyPoints.map(({ title, text }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Price() {
  return (
    <section className={classes.price} aria-labelledby="price-heading">
      <div>
        <h2 id="price-heading">Free for now, and we'll let you know before that changes</h2>
        <p>
          Your 14-day free trial starts when you sign up. When it ends, nothing is locked and
          nothing is charged. If we introduce paid plans, you'll hear first and decide then.
        </p>
      </div>
      <a href="/signup" className={classes.outlineButton}>
        Start your free trial
      </a>
    </section>
  );
}

function Questions() {
  return (
    <section id="questions" className={classes.twoColumns} aria-labelledby="questions-heading">
      <div>
        <h2 id="questions-heading">Questions</h2>
        <p className={classes.lead}>Straight answers before you sign up.</p>
      </div>
      <div>
        {questions.map(({ question, answer }, index) => (
          <details key={question} open={index === 0}>
            <summary>{question}</summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </section>
  );
}

function CallToAction() {
  return (
    <section className={classes.callToAction} aria-labelledby="start-heading">
      <h2 id="start-heading">Start your free trial today</h2>
      <p>14-day free trial. No credit card. See your own timetable tonight.</p>
      <a href="/signup" className={classes.yellowButton}>
        Start your free trial
      </a>
      <svg viewBox="0 0 400 300" aria-hidden="true">
        <path d="M40 180c60 34 96 78 118 108C190 176 266 84 372 22" />
      </svg>
    </section>
  );
}

function Footer() {
  return (
    <footer className={classes.footer}>
      <div>
        <Logo size={24} />
        <p>For independent tutors and the families they teach.</p>
      </div>
      <nav aria-label="Footer">
        <SectionLinks />
        <a href="/family">Family sign-in</a>
        <a href="/login">Log in</a>
      </nav>
    </footer>
  );
}

const TickedList = ({ texts }: { texts: readonly string[] }) => (
  <ul>
    {texts.map((text) => (
      <li key={text}>
        <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" className={classes.tick}>
          <path d="M3.5 11c2 1.2 3.2 2.7 4.2 5C9.7 10.5 12.5 6.7 17 4" />
        </svg>
        {text}
      </li>
    ))}
  </ul>
);
