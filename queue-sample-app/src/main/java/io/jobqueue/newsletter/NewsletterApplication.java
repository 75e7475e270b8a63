package io.jobqueue.newsletter;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The newsletter, whose subscribers have signed up in another application.
 */
@SpringBootApplication
public class NewsletterApplication {

}
