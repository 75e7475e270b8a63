package io.jobqueue.benchmark.chaos;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Random;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CuttableProxy}.
 */
class CuttableProxyTests {

	private static final Random ALL = new Random() {

		private static final long serialVersionUID = 1L;

		@Override
		public boolean nextBoolean() {
			return true;
		}

	};

	private static final int PATIENCE_MILLIS = 20_000;

	private final ServerSocket door = door();

	private CuttableProxy proxy;

	private Socket client;

	private Socket server;

	private static ServerSocket door() {
		try {
			return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@BeforeEach
	void connect() throws IOException {
		this.proxy = new CuttableProxy(this.door.getLocalPort());
		this.client = new Socket(InetAddress.getLoopbackAddress(), this.proxy.port());
		this.server = this.door.accept();
		this.client.setSoTimeout(PATIENCE_MILLIS);
		this.server.setSoTimeout(PATIENCE_MILLIS);
	}

	@AfterEach
	void close() throws IOException {
		this.client.close();
		this.server.close();
		this.proxy.close();
		this.door.close();
	}

	@Test
	void carriesBothWays() throws IOException {
		send(this.client, "ask");
		assertThat(read(this.server, 3)).isEqualTo("ask");
		send(this.server, "answer");
		assertThat(read(this.client, 6)).isEqualTo("answer");
	}

	@Test
	void nextAnswerBreaksOffHalfWay() throws IOException {
		carriesBothWays();
		this.proxy.cut(ALL);
		send(this.client, "again");
		assertThat(read(this.server, 5)).isEqualTo("again");
		send(this.server, "answer");
		assertThat(read(this.client, 6)).isEqualTo("ans");
		assertThat(this.server.getInputStream().read()).isNegative();
	}

	private static void send(Socket from, String text) throws IOException {
		from.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
	}

	private static String read(Socket to, int most) throws IOException {
		return new String(to.getInputStream().readNBytes(most), StandardCharsets.UTF_8);
	}

}
