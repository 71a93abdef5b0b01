import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { Link, Route, Switch, useLocation } from "wouter";
import { Frame } from "./frame/frame.js";
import { ApiPage } from "./pages/api-page.js";
import { ApplicationPage } from "./pages/application-page.js";
import { ApplicationsPage } from "./pages/applications-page.js";
import { DecisionPage } from "./pages/decision-page.js";
import { DeliveriesPage } from "./pages/deliveries-page.js";
import { DeliveryPage } from "./pages/delivery-page.js";
import { EventPage } from "./pages/event-page.js";
import { EventsPage } from "./pages/events-page.js";
import { FeedsPage } from "./pages/feeds-page.js";
import { SystemPage } from "./pages/system-page.js";
import { IncidentPage } from "./pages/incident-page.js";
import { IncidentsPage } from "./pages/incidents-page.js";
import { LookupPage } from "./pages/lookup-page.js";
import { OverviewPage } from "./pages/overview-page.js";
import { PlaybookPage } from "./pages/playbook-page.js";
import { PlaybooksPage } from "./pages/playbooks-page.js";
import { RehearsalPage } from "./pages/rehearsal-page.js";
import { RulesPage } from "./pages/rules-page.js";
import { SubjectPage } from "./pages/subject-page.js";
import { SignInPage } from "./pages/sign-in-page.js";
import { Boundary } from "./parts/boundary.js";
import { Page } from "./parts/page.js";
import { csrfToken, onSessionChange } from "./session.js";

/** All pages. Without a session, shows the sign-in page first. */
export function Console(): ReactNode {
  const isSignedIn = useSyncExternalStore(onSessionChange, () => csrfToken() !== null);
  const queries = useQueryClient();
  const [location] = useLocation();
  useEffect(() => {
    // Data of a session must not outlast it.
    if (!isSignedIn) queries.clear();
  }, [isSignedIn, queries]);
  if (!isSignedIn) return <SignInPage />;
  return (
    <Frame>
      <Boundary key={location}>
        <Switch>
          <Route path="/" component={OverviewPage} />
          <Route path="/deliveries" component={DeliveriesPage} />
          <Route path="/deliveries/:id">{({ id }) => <DeliveryPage key={id} id={id} />}</Route>
          <Route path="/decisions/:id">{({ id }) => <DecisionPage key={id} id={id} />}</Route>
          <Route path="/incidents" component={IncidentsPage} />
          <Route path="/incidents/:id">{({ id }) => <IncidentPage key={id} id={id} />}</Route>
          <Route path="/events" component={EventsPage} />
          <Route path="/events/:id">{({ id }) => <EventPage key={id} id={id} />}</Route>
          <Route path="/lookup" component={LookupPage} />
          <Route path="/addresses/:ip">{({ ip }) => <SubjectPage key={ip} type="ip" />}</Route>
          <Route path="/accounts/:account">
            {({ account }) => <SubjectPage key={account} type="account" />}
          </Route>
          <Route path="/applications" component={ApplicationsPage} />
          <Route path="/applications/:id">{({ id }) => <ApplicationPage key={id} id={id} />}</Route>
          <Route path="/playbooks" component={PlaybooksPage} />
          <Route path="/playbooks/:id">{({ id }) => <PlaybookPage key={id} id={id} />}</Route>
          <Route path="/rehearsal" component={RehearsalPage} />
          <Route path="/rules" component={RulesPage} />
          <Route path="/feeds" component={FeedsPage} />
          <Route path="/system" component={SystemPage} />
          <Route path="/api" component={ApiPage} />
          <Route>
            <Page title="No such page">
              <p>
                <Link href="/">To the overview</Link>
              </p>
            </Page>
          </Route>
        </Switch>
      </Boundary>
    </Frame>
  );
}
