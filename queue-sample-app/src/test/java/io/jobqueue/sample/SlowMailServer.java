package io.jobqueue.sample;

import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import jakarta.mail.MessagingException;
import jakarta.mail.internet.InternetHeaders;
import org.subethamail.smtp.MessageContext;
import org.subethamail.smtp.RejectException;
import org.subethamail.smtp.helper.BasicMessageListener;
import org.subethamail.smtp.server.SMTPServer;

/**
 * A mail server that does not answer before the test releases it.
 */
final class SlowMailServer implements BasicMessageListener, AutoCloseable {

	private final List<Mail> mails = new CopyOnWriteArrayList<>();

	private final CountDownLatch mayAnswer = new CountDownLatch(1);

	private final SMTPServer server = SMTPServer.port(0)
		.bindAddress(InetAddress.getLoopbackAddress())
		.hostName("localhost")
		.messageHandler(this)
		.build();

	SlowMailServer() {
		this.server.start();
	}

	int port() {
		return this.server.getPortAllocated();
	}

	/**
	 * Return the mails received from a sender, in the order of their arrival.
	 */
	List<Mail> from(String sender) {
		return this.mails.stream().filter((mail) -> mail.sender().equals(sender)).toList();
	}

	void answer() {
		this.mayAnswer.countDown();
	}

	@Override
	public void messageArrived(MessageContext context, String from, String to, byte[] data) throws RejectException {
		this.mails.add(Mail.of(from, data));
		try {
			this.mayAnswer.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void close() {
		answer();
		this.server.stop();
	}

	/**
	 * A received mail.
	 */
	record Mail(String sender, String signup, long receivedAt) {

		static Mail of(String sender, byte[] data) {
			try {
				String signup = new InternetHeaders(new ByteArrayInputStream(data)).getHeader("X-Signup", null);
				return new Mail(sender, signup, System.nanoTime());
			}
			catch (MessagingException ex) {
				throw new IllegalArgumentException(ex);
			}
		}

	}

}
