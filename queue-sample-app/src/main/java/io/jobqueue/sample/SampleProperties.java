package io.jobqueue.sample;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the sample.
 *
 * @param dataFolder folder of the embedded database and of the mails, relative to the
 * working directory
 * @param publicUrl address under which the reader of a mail reaches the application;
 * default: this machine
 * @param reminderAfter time after which a user who has not followed the link is reminded
 * @param newsletterPort port of the second application in the profile {@code kafka}; 0:
 * any
 * @param mail settings of the mails
 */
@ConfigurationProperties("sample")
public record SampleProperties(@DefaultValue("data") Path dataFolder, @Nullable URI publicUrl,
		@DefaultValue("1m") Duration reminderAfter, @DefaultValue("8090") int newsletterPort, @DefaultValue Mail mail) {

	/**
	 * Settings of the mails.
	 *
	 * @param from sender of the mails
	 * @param digestTo recipient of the digests of new signups
	 * @param failureRate share of the messages that the embedded mail server refuses, 0
	 * to 1
	 */
	public record Mail(@DefaultValue("Queue sample <signup@sample.example>") String from,
			@DefaultValue("Team <team@sample.example>") String digestTo, @DefaultValue("0") double failureRate) {

		public Mail {
			if (!(failureRate >= 0 && failureRate <= 1)) {
				throw new IllegalArgumentException(
						"'sample.mail.failure-rate' must be between 0 and 1, not %s".formatted(failureRate));
			}
		}

	}

}
