package io.jobqueue.sample.signup;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * The table of digests.
 */
@Repository
class DigestRepository {

	/**
	 * Changes nothing if the tick has a digest already.
	 */
	private static final String COLLECT = """
			WITH added AS (
			    INSERT INTO digest (tick)
			    SELECT :tick
			    WHERE EXISTS (SELECT FROM signup WHERE digest_id IS NULL)
			    ON CONFLICT (tick) DO NOTHING
			    RETURNING id
			)
			UPDATE signup s
			SET digest_id = a.id
			FROM added a
			WHERE s.digest_id IS NULL
			""";

	private static final String DIGESTS = """
			SELECT d.id, d.tick, d.mailed_at, (SELECT count(*) FROM signup s WHERE s.digest_id = d.id) AS signups
			FROM digest d
			""";

	private static final String UNMAILED = DIGESTS + """
			WHERE d.tick = :tick AND d.mailed_at IS NULL
			""";

	private static final String LATEST = DIGESTS + """
			WHERE d.mailed_at IS NOT NULL
			ORDER BY d.id DESC
			LIMIT :limit
			""";

	private static final String SIGNUPS = """
			SELECT id, name, email, status, created_at, workflow
			FROM signup
			WHERE digest_id = :digest
			ORDER BY id
			""";

	private static final String MARK_MAILED = """
			UPDATE digest
			SET mailed_at = now()
			WHERE id = :id
			""";

	private final JdbcClient jdbc;

	DigestRepository(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Collect the signups that no digest lists yet.
	 * @param tick the time of the digest
	 * @return the digest, empty if there are none, or if it was mailed
	 */
	Optional<Digest> collect(Instant tick) {
		this.jdbc.sql(COLLECT).param("tick", tick.atOffset(ZoneOffset.UTC)).update();
		return this.jdbc.sql(UNMAILED).param("tick", tick.atOffset(ZoneOffset.UTC)).query(Digest.class).optional();
	}

	List<Digest> latest(int limit) {
		return this.jdbc.sql(LATEST).param("limit", limit).query(Digest.class).list();
	}

	List<Signup> signups(Digest digest) {
		return this.jdbc.sql(SIGNUPS).param("digest", digest.id()).query(Signup.class).list();
	}

	void markMailed(Digest digest) {
		this.jdbc.sql(MARK_MAILED).param("id", digest.id()).update();
	}

}
