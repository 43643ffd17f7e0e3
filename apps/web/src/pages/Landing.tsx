import { Logo } from '../components/Logo.tsx';
import buttons from '../features/landing/buttons.module.css';
import { Hero } from '../features/landing/Hero.tsx';
import { CallToAction, Faq, Features, Testimonials } from '../features/landing/LandingSections.tsx';
import { usePageTitle } from '../lib/page-title.ts';
import classes from './Landing.module.css';

/** Must not import the component library: this is the first page a visitor loads, and it is prerendered. */
export function LandingPage() {
  usePageTitle('Lessonbook: lessons, students and payments for independent tutors');
  return (
    <div className={classes.page}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <header className={classes.head}>
        <a href="/" className={classes.brand} aria-label="Lessonbook home">
          <Logo size={32} />
        </a>
        <nav aria-label="Account">
          <a href="/login" className={buttons.quiet}>
            Log in
          </a>
          <a href="/signup" className={buttons.solid} data-small="">
            Sign up
          </a>
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        <Hero />
        <Features />
        <Testimonials />
        <Faq />
        <CallToAction />
      </main>
      <footer className={classes.foot}>
        <Logo size={24} />
        <nav aria-label="Footer">
          <a href="#features">Features</a>
          <a href="#questions">Questions</a>
          <a href="#privacy">Privacy</a>
          <a href="/login">Log in</a>
        </nav>
      </footer>
    </div>
  );
}
