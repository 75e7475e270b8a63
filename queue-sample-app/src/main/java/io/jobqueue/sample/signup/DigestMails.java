package io.jobqueue.sample.signup;

import java.util.Objects;

import org.springframework.stereotype.Component;

import io.jobqueue.JobContext;
import io.jobqueue.RecurringJob;

/**
 * Mails a digest of the new signups every minute, on one node. Each attempt of a job
 * mails the same digest: the tick names it.
 */
@Component
class DigestMails {

	private final DigestRepository digests;

	private final DigestMailSender sender;

	DigestMails(DigestRepository digests, DigestMailSender sender) {
		this.digests = digests;
		this.sender = sender;
	}

	@RecurringJob(name = "signup-digest", cron = "${sample.digest-cron}", queue = "emails")
	void mail(JobContext job) {
		this.digests.collect(Objects.requireNonNull(job.scheduledAt())).ifPresent(this::mail);
	}

	private void mail(Digest digest) {
		this.sender.send(digest, this.digests.signups(digest));
		this.digests.markMailed(digest);
	}

}
