package io.jobqueue.sample;

import java.net.InetAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.subethamail.smtp.MessageContext;
import org.subethamail.smtp.RejectException;
import org.subethamail.smtp.helper.BasicMessageListener;
import org.subethamail.smtp.server.SMTPServer;

/**
 * A mail server that takes half a second for a mail, and refuses one in three.
 */
final class BusyMailServer implements BasicMessageListener, AutoCloseable {

	private static final long MILLIS = 500;

	private final AtomicInteger mails = new AtomicInteger();

	private final CountDownLatch closed = new CountDownLatch(1);

	private final SMTPServer server = SMTPServer.port(0)
		.bindAddress(InetAddress.getLoopbackAddress())
		.hostName("localhost")
		.messageHandler(this)
		.build();

	BusyMailServer() {
		this.server.start();
	}

	int port() {
		return this.server.getPortAllocated();
	}

	@Override
	public void messageArrived(MessageContext context, String from, String to, byte[] data) throws RejectException {
		try {
			this.closed.await(MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		if (this.mails.incrementAndGet() % 3 == 0) {
			throw new RejectException(451, "4.3.2 The mail server is busy: try again later");
		}
	}

	@Override
	public void close() {
		this.closed.countDown();
		this.server.stop();
	}

}
