package io.jobqueue.sample.mail;

import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;

import jakarta.mail.MessagingException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subethamail.smtp.MessageContext;
import org.subethamail.smtp.RejectException;
import org.subethamail.smtp.helper.BasicMessageListener;

/**
 * What the mail server does with a message before it answers: refuse some at random, as
 * real ones do, or file it.
 */
final class MailReceiver implements BasicMessageListener {

	private static final Logger logger = LoggerFactory.getLogger(MailReceiver.class);

	private static final int TRY_AGAIN_LATER = 451;

	private final FiledMails mails;

	private final double failureRate;

	MailReceiver(FiledMails mails, double failureRate) {
		this.mails = mails;
		this.failureRate = failureRate;
	}

	@Override
	public void messageArrived(MessageContext context, String from, String to, byte[] data) throws RejectException {
		if (ThreadLocalRandom.current().nextDouble() < this.failureRate) {
			throw new RejectException(TRY_AGAIN_LATER, "refused because of sample.mail.failure-rate");
		}
		try {
			this.mails.file(data);
		}
		catch (IOException | MessagingException ex) {
			logger.error("Could not file a mail to {}", to, ex);
			throw new RejectException(TRY_AGAIN_LATER, "the message could not be filed");
		}
	}

}
