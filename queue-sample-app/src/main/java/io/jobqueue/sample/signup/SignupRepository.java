package io.jobqueue.sample.signup;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.SimplePropertyRowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * The table of signups.
 */
@Repository
class SignupRepository {

	private static final String INSERT = """
			INSERT INTO signup (name, email, token)
			VALUES (:name, :email, :token)
			RETURNING id
			""";

	private static final String SET_WORKFLOW = """
			UPDATE signup
			SET workflow = :workflow
			WHERE id = :id
			RETURNING id, name, email, status, created_at, workflow
			""";

	private static final String FIND = """
			SELECT id, name, email, status, created_at, workflow
			FROM signup
			WHERE id = :id
			""";

	private static final String LATEST = """
			SELECT id, name, email, status, created_at, workflow
			FROM signup
			ORDER BY id DESC
			LIMIT :limit
			""";

	private static final String TOKEN = """
			SELECT token
			FROM signup
			WHERE id = :id
			""";

	private static final String MARK_MAILED = """
			UPDATE signup
			SET status = 'MAILED'
			WHERE id = :id AND status = 'PENDING'
			""";

	private static final String VERIFY = """
			UPDATE signup
			SET status = 'VERIFIED'
			WHERE token = :token
			RETURNING id, name, email, status, created_at, workflow
			""";

	private static final RowMapper<Signup> SIGNUP = new SimplePropertyRowMapper<>(Signup.class);

	private final JdbcClient jdbc;

	SignupRepository(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	long insert(Profile profile, String token) {
		return this.jdbc.sql(INSERT)
			.param("name", profile.name())
			.param("email", profile.email())
			.param("token", token)
			.query(Long.class)
			.single();
	}

	Signup setWorkflow(long id, UUID workflow) {
		return this.jdbc.sql(SET_WORKFLOW).param("id", id).param("workflow", workflow).query(Signup.class).single();
	}

	Optional<Signup> find(long id) {
		return this.jdbc.sql(FIND).param("id", id).query(Signup.class).optional();
	}

	List<Signup> latest(int limit) {
		return this.jdbc.sql(LATEST).param("limit", limit).query(SIGNUP).list();
	}

	String token(long id) {
		return this.jdbc.sql(TOKEN).param("id", id).query(String.class).single();
	}

	void markMailed(long id) {
		this.jdbc.sql(MARK_MAILED).param("id", id).update();
	}

	Optional<Signup> verify(String token) {
		return this.jdbc.sql(VERIFY).param("token", token).query(Signup.class).optional();
	}

}
